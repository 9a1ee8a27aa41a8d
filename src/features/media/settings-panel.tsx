import {shallowEqual, useSelector} from '@xstate/react'
import {
  Suspense,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import {typeOfFile} from '#domain/file-rules.ts'
import {
  selectDropped,
  selectForm,
  selectShownFaults,
  selectShowsFaults,
} from '#machines/generation/generation.selectors.ts'
import type {GenerationSnapshot} from '#machines/generation/generation.machine.ts'
import {selectApplication, selectService} from '#machines/provisioning/provisioning.selectors.ts'
import type {PendingState} from '#machines/submission/submission.types.ts'
import {selectFormRequest, selectSubmission} from '#machines/task-requests/task-requests.selectors.ts'
import {isComposing} from '#ui/is-composing.ts'
import {useText} from '#ui/text.tsx'
import {lazyModule, useLazy, lazyView} from '#ui/use-lazy.ts'
import type {WriterProps} from './fields/writer.tsx'
import {addFiles} from './add-files.ts'
import {shownFields, type AnyForm, type AnyScreen, type FilesFieldValue} from './any-tool.ts'
import {creditsOf} from './credits.ts'
import {textsOf} from './fields/field-props.ts'
import {GenerateFoot, type GenerateProps, type SubmitPhase} from './generate-foot.tsx'
import {useMedia, type Media} from './media.context.ts'
import {SettingsForm} from './settings-form.tsx'
import {hasFiles} from './dragged-files.ts'
import {useFileItems} from './use-file-items.ts'
import {useToolText} from './use-tool-text.ts'
import {prepareRequest} from './prepare-request.ts'

const writer = lazyModule(async () => (await import('./fields/writer.tsx')).Writer)
const ResultPicker = lazyView(async () => (await import('./result-picker.tsx')).ResultPicker)

const phaseOf = (snapshot: GenerationSnapshot): SubmitPhase => {
  if (snapshot.hasTag('uploading')) return 'uploading'
  return snapshot.hasTag('waiting') ? 'preparing' : 'ready'
}

/** How far the form's request is. One that takes longer is told of by its card, and the form is free. */
const sentPhase = (state: PendingState | undefined): SubmitPhase =>
  state === 'sending' || state === 'rejected' || state === 'usedUp' ? state : 'ready'

type Hindrances = {needsApplication: boolean; isUnavailable: boolean}

/** The phase that the form shows: a hindrance replaces a button that could not do what it says. */
function shownPhase(phase: SubmitPhase, {needsApplication, isUnavailable}: Hindrances): SubmitPhase {
  if (phase === 'ready' && isUnavailable) return 'unavailable'
  return (phase === 'ready' || phase === 'preparing') && needsApplication ? 'setUp' : phase
}

/** Message id of what is done to a result or a recording; undefined where something new is made. */
function workOf({actions}: AnyScreen, body: AnyForm): string | undefined {
  // the actions of the wire that go on from one: `extend`, `upload_extend`
  if (String(body.action).endsWith('extend')) return 'common.mediaExtend'
  return actions.find(({id}) => id === body.action && ('video_id' in body || 'audio_id' in body))?.label
}

/** The work of the form when it is sent, and the credits it costs. */
function useSubmission(media: Media, form: AnyForm): {work: string | undefined; cost: number | undefined} {
  const service = useSelector(media.actors.provisioning, selectService)
  return useMemo(() => {
    // as: every form of this tool is a full one; `submit` reads no others
    const {body} = media.tool.submit(form)
    return {work: workOf(media.screen, body), cost: creditsOf(media, service, body)}
  }, [media, form, service])
}

type GenerateHandlers = {
  /** The request is on its way, or waits for what it needs. */
  onSent?: () => void
  /** Something in the form has to be mended first. */
  onRefused?: () => void
}

/** Generate with its price, as panel and phone dock show it. */
export function useGenerate({onSent, onRefused}: GenerateHandlers = {}): GenerateProps {
  const media = useMedia()
  const text = useText()
  const {generation, requests, provisioning} = media.actors
  const form = useSelector(generation, selectForm)
  const request = useSelector(requests, selectFormRequest)
  const submission = () => request && selectSubmission(requests.getSnapshot(), request.key)
  const editing = useSelector(generation, phaseOf)
  const phase = editing === 'ready' ? sentPhase(request?.state) : editing
  const application = useSelector(provisioning, selectApplication)
  const needsApplication = useSelector(provisioning, (snapshot) => snapshot.hasTag('needsApplication'))
  const isUnavailable = useSelector(provisioning, ({context}) => context.service?.metadata?.available === false)
  const toolText = useToolText(media.identity.id)
  const {work, cost} = useSubmission(media, form)
  const making = media.identity.group === 'music' ? 'common.mediaCreate' : 'common.mediaGenerate'
  return {
    label: work === undefined ? text(making) : toolText(work),
    phase: shownPhase(phase, {needsApplication, isUnavailable}),
    cost,
    balance: application?.remaining_amount,
    failure: request?.failure,
    addCredits: media.navigation.addCredits(application?.id, request?.failure),
    onGenerate: () => {
      generation.send({type: 'form.submit', key: media.newKey(), at: media.now()})
      if (selectShowsFaults(generation.getSnapshot())) onRefused?.()
      else onSent?.()
    },
    onCancel: () => {
      if (editing !== 'ready') generation.send({type: 'submit.cancel'})
      else submission()?.send({type: 'submission.discard'})
    },
    onStart: media.startSetUp,
    onContinue: () => submission()?.send({type: 'submission.retry'}),
  }
}

type SettingsPanelProps = {
  /** After a request was accepted for sending: a sheet closes. */
  onSent?: () => void
  head?: ReactNode
}

/** The button that has a text written. */
function LazyWriter(props: WriterProps): ReactNode {
  const View = useLazy(writer, true)
  return View && <View {...props} />
}

/** The text instead of an empty prompt. */
export const describeText = {
  image: 'common.mediaDescribeImage',
  video: 'common.mediaDescribeVideo',
  music: 'common.mediaDescribeMusic',
} as const

type Change = (field: string, value: unknown) => void

/** The files of the form: how they come into its fields, pasted and dropped ones too, and leave them. */
function useFormFiles(form: AnyForm, change: Change) {
  const media = useMedia()
  const itemsOf = useFileItems(form)
  const add = (field: FilesFieldValue, newFiles: readonly File[]) => addFiles(media, field, newFiles)
  const takeAway = (field: FilesFieldValue, id: string) => {
    const value = textsOf(form[field.key])
    if (!value.includes(id)) return media.actors.generation.send({type: 'file.remove', id})
    const rest = value.filter((url) => url !== id)
    change(field.key, Array.isArray(form[field.key]) ? rest : '')
  }
  const fileFields = shownFields(media.screen, form, 'main').filter(
    (field): field is FilesFieldValue => field.kind === 'files',
  )
  /** The first field that has room for one of these files. */
  const takerOf = (addedFiles: readonly File[]) =>
    fileFields.find(
      (field) =>
        itemsOf(field).length < field.most && addedFiles.some((file) => field.types.includes(typeOfFile(file))),
    )
  /** Files that no field takes are left to the field under the caret, which may hold text beside them. */
  const paste = (event: ClipboardEvent) => {
    const pastedFiles = [...event.clipboardData.files]
    const taker = takerOf(pastedFiles)
    if (taker === undefined) return
    event.preventDefault()
    add(taker, pastedFiles)
  }
  /** A field under the pointer has taken its files already. Other files go to the first, which says why not. */
  const drop = (event: DragEvent) => {
    const droppedFiles = [...event.dataTransfer.files]
    const taker = takerOf(droppedFiles) ?? fileFields[0]
    if (event.defaultPrevented || droppedFiles.length === 0 || taker === undefined) return
    event.preventDefault()
    add(taker, droppedFiles)
  }
  return {fileFields, itemsOf, add, takeAway, paste, drop}
}

type FieldPickerProps = {field: FilesFieldValue | undefined; form: AnyForm; onChange: Change; onClose: () => void}

/** The choice of an earlier result for a field of files, while one is made. */
function FieldPicker({field, form, onChange, onClose}: FieldPickerProps) {
  const pick = ({key}: FilesFieldValue, url: string) => {
    const before = form[key]
    onChange(key, Array.isArray(before) ? [...textsOf(before).filter((other) => other !== url), url] : url)
    onClose()
  }
  return (
    <Suspense>
      {field !== undefined && field.medium !== 'text' && (
        <ResultPicker medium={field.medium} onPick={(url) => pick(field, url)} onClose={onClose} />
      )}
    </Suspense>
  )
}

/** The settings of the tool and the button that uses them. */
export function SettingsPanel({onSent, head}: SettingsPanelProps) {
  const media = useMedia()
  const {actors, screen, defaults} = media
  const {generation} = actors
  const text = useText()
  const toolText = useToolText(media.identity.id)
  const panel = useRef<HTMLDivElement>(null)
  const form = useSelector(generation, selectForm)
  const faults = useSelector(generation, selectShownFaults, shallowEqual)
  const neededFields = useMemo(() => media.tool.faults(form).map(({field}) => field), [media.tool, form])
  const droppedFields = useSelector(generation, selectDropped)
  /** The first field that is wrong gets the focus, so that it is seen and its fault is read out. */
  const showFault = () =>
    requestAnimationFrame(() => panel.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  const generate = useGenerate({onSent, onRefused: showFault})
  const [picking, setPicking] = useState<FilesFieldValue>()
  const change = (field: string, value: unknown) => generation.send({type: 'field.change', field, value})
  const {fileFields, itemsOf, add, takeAway, paste, drop} = useFormFiles(form, change)
  const prepare = () => prepareRequest(screen, fileFields.length > 0 ? media.files : undefined)
  const submit = () => {
    if (generate.phase === 'ready' || generate.phase === 'rejected') generate.onGenerate()
  }
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <div
      ref={panel}
      style={{display: 'flex', flexDirection: 'column', flex: 1, minBlockSize: 0}}
      onKeyDown={press}
      onPaste={paste}
      onDrop={drop}
      onDragOver={(event) => {
        if (fileFields.length > 0 && hasFiles(event)) event.preventDefault()
      }}
      onPointerEnter={prepare}
      onFocus={prepare}
    >
      {head}
      <SettingsForm
        screen={screen}
        form={form}
        defaults={defaults}
        toolText={toolText}
        needed={neededFields}
        faults={faults}
        dropped={droppedFields}
        onChange={change}
        onReset={() => generation.send({type: 'form.reset'})}
        onSubmit={submit}
        placeholder={text(describeText[media.identity.group])}
        writer={(field) =>
          field.write === undefined ? undefined : <LazyWriter key={field.key} field={field} form={form} />
        }
        files={(field) => ({
          items: itemsOf(field),
          onAdd: (newFiles) => add(field, newFiles),
          onRemove: (id) => takeAway(field, id),
          onRetry: (id) => generation.send({type: 'file.retry', id}),
          onMove: (id, position) => generation.send({type: 'file.move', field: field.key, id, position}),
          onPick: field.medium === 'text' ? undefined : () => setPicking(field),
        })}
      >
        <GenerateFoot {...generate} />
      </SettingsForm>
      <FieldPicker field={picking} form={form} onChange={change} onClose={() => setPicking(undefined)} />
    </div>
  )
}
