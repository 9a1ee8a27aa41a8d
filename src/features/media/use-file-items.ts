import {useSelector} from '@xstate/react'
import {useCallback, useMemo, useRef, useSyncExternalStore} from 'react'
import {nameInAddress} from '#domain/name-in-address.ts'
import {defaultDetail} from '#domain/error-kinds.ts'
import {errorTextId, isRefusal, type Failure} from '#domain/failure.ts'
import type {FileFault} from '#domain/file-rules.ts'
import {selectOrders, selectUpload, selectUploads} from '#machines/generation/generation.selectors.ts'
import type {FormUpload} from '#machines/generation/generation.types.ts'
import type {UploadActor, UploadSnapshot} from '#machines/upload/upload.machine.ts'
import {selectFailure, selectFault, selectPercent} from '#machines/upload/upload.selectors.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText, type Text} from '#ui/text.tsx'
import type {AnyForm, FilesFieldValue} from './any-tool.ts'
import {textsOf} from './fields/field-props.ts'
import type {FileItem} from './fields/files-field.types.ts'
import {safeUrl} from './media-url.ts'
import {useMedia} from './media.context.ts'

const megabyte = 1_000_000

/** Why a file is refused, in words. */
function faultText(text: Text, locale: string, fault: FileFault): string {
  switch (fault.kind) {
    case 'type':
      return text('common.mediaFileType', {
        types: new Intl.ListFormat(locale, {type: 'disjunction'}).format(fault.types.map(shortType)),
      })
    case 'size':
      return text('common.mediaFileSize', {size: Math.floor(fault.maxBytes / megabyte)})
    case 'empty':
      return text('common.mediaFileEmpty')
    case 'content':
      return text('common.mediaFileContent')
    case 'count':
      return text('common.mediaTooMany', {most: fault.most})
  }
}

/** Why the server did not take a file: its own sentence, since those of the codes speak of a question. */
const failureTextOf = (text: Text, failure: Failure): string =>
  (isRefusal(failure) && failure.status !== 401) || (failure.code === 'busy' && failure.detail !== defaultDetail)
    ? failure.detail
    : text(errorTextId(failure))

/** `image/jpeg` and `.jpeg` as `JPEG`. */
const shortType = (type: string) => type.replace(/^.*[/.]/, '').toUpperCase()

/** Snapshots of the uploads that run now, drawn anew when one of them changes. */
function useUploadSnapshots(actors: readonly UploadActor[]): readonly UploadSnapshot[] {
  const last = useRef<readonly UploadSnapshot[]>([])
  const subscribe = useCallback(
    (onChange: () => void) => {
      const subscriptions = actors.map((actor) => actor.subscribe({next: onChange, error: onChange}))
      return () => subscriptions.forEach((subscription) => subscription.unsubscribe())
    },
    [actors],
  )
  return useSyncExternalStore(subscribe, () => {
    const next = actors.map((actor) => actor.getSnapshot())
    const isSame =
      next.length === last.current.length && next.every((each, position) => each === last.current[position])
    if (!isSame) last.current = next
    return last.current
  })
}

/** The files of each field: what its value holds, and what is on its way or was refused. */
export function useFileItems(form: AnyForm): (field: FilesFieldValue) => FileItem[] {
  const text = useText()
  const {locale} = useLanguage()
  const {actors, files} = useMedia()
  const uploads = useSelector(actors.generation, selectUploads)
  const orders = useSelector(actors.generation, selectOrders)
  const running = useMemo(
    () =>
      uploads.flatMap(({id}) => {
        const actor = selectUpload(actors.generation.getSnapshot(), id)
        return actor === undefined ? [] : [actor]
      }),
    [uploads, actors.generation],
  )
  const snapshots = useUploadSnapshots(running)
  const stateOf = (upload: FormUpload): Pick<FileItem, 'state'> & {percent?: number; problem?: string} => {
    if (upload.fault !== undefined) return {state: 'refused', problem: faultText(text, locale, upload.fault)}
    const snapshot = snapshots.find(({context}) => context.file.id === upload.id)
    if (upload.state === 'done' || snapshot === undefined)
      return upload.state === 'failed'
        ? {state: 'failed', problem: text('common.mediaUploadFailed')}
        : {state: upload.state === 'done' ? 'done' : 'waiting'}
    const fault = selectFault(snapshot)
    if (fault !== undefined) return {state: 'refused', problem: faultText(text, locale, fault)}
    if (snapshot.hasTag('failed')) {
      const failure = selectFailure(snapshot)
      return {
        state: 'failed',
        problem: failure === undefined ? text('common.mediaUploadFailed') : failureTextOf(text, failure),
      }
    }
    return upload.state === 'queued' ? {state: 'waiting'} : {state: 'running', percent: selectPercent(snapshot)}
  }
  /** Nothing is shown of bytes that may not be what they say. */
  const isChecked = ({id}: FormUpload) => {
    const snapshot = snapshots.find(({context}) => context.file.id === id)
    return snapshot === undefined || !(snapshot.matches('queued') || snapshot.matches('checking'))
  }
  return (field) => {
    const ofField = uploads.filter((upload) => upload.field === field.key)
    const fieldUrls = new Set(ofField.map(({url}) => url))
    const fromValue = textsOf(form[field.key])
      .filter((url) => !fieldUrls.has(url))
      .map((url): FileItem => ({
        id: url,
        name: nameInAddress(url),
        medium: field.medium,
        previewUrl: safeUrl(url),
        state: 'done',
      }))
    const fromUploads = ofField.map((upload): FileItem => {
      const previewUrl = (isChecked(upload) ? files.previewOf(upload.id) : undefined) ?? safeUrl(upload.url)
      // as: a state has exactly what `stateOf` gives with it
      return {id: upload.id, name: upload.name, medium: field.medium, previewUrl, ...stateOf(upload)} as FileItem
    })
    const order = orders[field.key] ?? []
    // a field without uploads has no order of its own: that of its value
    return [...fromValue, ...fromUploads].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  }
}
