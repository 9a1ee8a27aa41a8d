import {useSelector} from '@xstate/react'
import {useLayoutEffect, useRef, useSyncExternalStore} from 'react'
import {modelGroupNames} from '#contract/models.ts'
import {mostFiles} from '#domain/attachment-limit.ts'
import {isolated} from '#domain/isolated-text.ts'
import type {LeftOut} from '#machines/draft-files/draft-files.types.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {Button} from '#ui/button.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {AttachmentChip} from './attachment-chip.tsx'
import {AttachmentItem, RemoveButton} from './attachment-item.tsx'
import {newDraftKey, useChat} from './chat.context.tsx'
import styles from './composer-extras.module.css'
import {isOwnFile} from './markdown/is-own-file.ts'
import {safeLink} from './markdown/safe-link.ts'
import {offeredModels, shownLabel, type OfferedModel} from './model-catalogue.ts'
import type {FilesOpening} from './draft-files-port.ts'
import {focusFieldOf} from './focus-field-of.ts'
import {moveDraft} from './move-draft.ts'
import {withdrawFile} from './opening-files.ts'
import type {Uploads} from './draft-uploads.ts'
import {isFinal, isQuoted, type Attachment} from './attachment.ts'
import {excessOf, takesAll} from './model-refusal.ts'
import {refusalWords} from './refusal-words.ts'
import {useThreadWords} from './use-thread-words.ts'

type OpenProps = {
  uploads: Uploads
  draftKey: string
  model: OfferedModel | undefined
  /** The models of the group. */
  models: readonly OfferedModel[]
  onChooseModel: (name: string) => void
  /** The files belong to a message of this conversation, so no other chat can take them along. */
  isTied?: boolean
  /** The message is saved where it stands, also without being sent again. */
  isSaved?: boolean
  /** The text of a file that was pasted goes into the field. */
  onPasteText: (text: string) => void
}

type ComposerAttachmentsProps = Omit<OpenProps, 'uploads'> & {
  /** Undefined while they are being opened. */
  uploads: Uploads | undefined
}

/** Most models that are named as those that take the files, and most files as left out. */
const most = 3

/** Fewer files are seen without a swipe on a phone, whole or in part. */
const countedFrom = 3

/** The models of this chat come first. The sandbox is offered once, and only if there are no models. */
function offersOf(here: readonly OfferedModel[], elsewhere: readonly OfferedModel[]): OfferedModel[] {
  const all = [...here, ...elsewhere]
  const models = all.filter(({section}) => section !== 'sandbox')
  return models.length === 0 ? all.slice(0, 1) : models.slice(0, most)
}

/** Chips above the message field: still opened, uploading, ready, failed, or unsupported by the model. */
export function ComposerAttachments({uploads, ...rest}: ComposerAttachmentsProps) {
  useThreadWords()
  const {opening} = useChat().files
  const openings = useSyncExternalStore(opening.subscribe, opening.get)
  if (uploads !== undefined) return <OpenFiles {...rest} uploads={uploads} />
  const calls = openings.filter(({key}) => key === rest.draftKey)
  const items = calls.flatMap((call) => call.files.map((file) => ({call, file})))
  const presses = calls.reduce((sum, call) => sum + call.presses, 0)
  return items.length > 0 || presses > 0 ? (
    <OpeningFiles items={items} presses={presses} isSaved={rest.isSaved === true} />
  ) : null
}

type OpeningItem = {call: FilesOpening; file: FilesOpening['files'][number]}

/** Files that wait for their code or for the session. */
function OpeningFiles({items, ...note}: NoteProps & {items: readonly OpeningItem[]}) {
  const {opening} = useChat().files
  return (
    <>
      <ul className={styles.attachments}>
        {items.slice(0, mostFiles).map(({call, file}, index) => (
          <li key={index}>
            <AttachmentChip name={file.name}>
              <RemoveButton name={file.name} onRemove={() => withdrawFile(opening, call, file)} />
            </AttachmentChip>
          </li>
        ))}
      </ul>
      <WaitNote {...note} />
    </>
  )
}

type NoteProps = {presses: number; isSaved: boolean}

/** The message waits for its files; each press of Send or Save says so again. */
function WaitNote({presses, isSaved}: NoteProps) {
  const text = useText()
  return (
    <p key={presses} className={styles.leftOut} role={presses > 0 ? 'alert' : 'status'}>
      {text(isSaved ? 'chat.saveWaitsForUploads' : 'chat.waitsForUploads')}
    </p>
  )
}

/** Brings the files of an editor into view when it gets new ones: they stand above the text in which the user is. */
function useShownFiles(files: readonly Attachment[], isTied: boolean) {
  const list = useRef<HTMLUListElement>(null)
  const newest = files.findLast(({state}) => state === 'uploading')?.id
  useLayoutEffect(() => {
    if (isTied && newest !== undefined) list.current?.scrollIntoView({block: 'nearest'})
  }, [isTied, newest])
  return list
}

function OpenFiles(props: OpenProps) {
  const {uploads, model, onPasteText, isTied = false, isSaved = false} = props
  const text = useText()
  const {media: policy} = useChat()
  const attachments = useSyncExternalStore(uploads.subscribe, uploads.get)
  const leftOut = useSyncExternalStore(uploads.leftOut.subscribe, uploads.leftOut.get)
  const presses = useSyncExternalStore(uploads.presses.subscribe, uploads.presses.get)
  const isUnsent = useSyncExternalStore(uploads.isUnsent.subscribe, uploads.isUnsent.get)
  const list = useShownFiles(attachments, isTied)

  const ownAddressOf = (attachment: Attachment): string | undefined => {
    if (attachment.state !== 'ready') return undefined
    const url = safeLink(attachment.url, policy.pageOrigin)
    return url !== undefined && isOwnFile(url, policy) ? url.href : undefined
  }
  const files = attachments.filter((attachment) => !isQuoted(attachment, model))
  const isAsking = files.some(({state}) => state === 'asking')
  const isUploading = files.some(({state}) => state === 'uploading' || state === 'elsewhere')
  const failures = files.filter(({state}) => state === 'failed' || state === 'lost').length
  const final = files.filter(isFinal).length
  const isRefused = !takesAll(attachments, model)
  return (
    <>
      {leftOut !== undefined && (
        <p className={styles.leftOut} role="status">
          {leftOutWords(text, leftOut)}
        </p>
      )}
      <ul ref={list} className={styles.attachments}>
        {attachments.map((attachment) => (
          <AttachmentItem
            key={attachment.id}
            uploadedImage={attachment.isImage ? ownAddressOf(attachment) : undefined}
            {...{attachment, uploads, model, onPasteText}}
          />
        ))}
      </ul>
      {attachments.length >= countedFrom && (
        <p className={styles.count}>{text('chat.fileCount', {count: uploads.count(), most: mostFiles})}</p>
      )}
      {attachments.some((attachment) => ownAddressOf(attachment) !== undefined) && (
        <p className={styles.fine}>{text('chat.fileAddress')}</p>
      )}
      <ExcessNote attachments={attachments} model={model} />
      {isUploading && <WaitNote {...{presses, isSaved}} />}
      {failures > 0 && presses > 0 && (
        <p key={-presses} className={styles.held} role="alert">
          {final > 0 ? text('chat.filesRefused', {count: final}) : text('chat.filesFailed', {count: failures})}
        </p>
      )}
      {!isUploading && !isAsking && !isRefused && (
        <p className={styles.needsText} role="status">
          {text('chat.filesNeedText')}
        </p>
      )}
      {isUnsent && !isRefused && (
        <p className={styles.unsent} role="alert">
          {text(isSaved ? 'chat.uploadedUnsaved' : 'chat.uploadedUnsent')}
        </p>
      )}
      {isRefused && <OtherModels {...props} presses={presses} />}
    </>
  )
}

/** Why something was left out, and the names of the files: the first ones of many. */
function leftOutWords(text: Text, leftOut: LeftOut): string {
  if (leftOut.why === 'folder') return text('chat.folder')
  const {names} = leftOut
  const limit = text('chat.tooManyFiles', {count: mostFiles})
  if (names.length === 0) return limit
  const shownNames = names.slice(0, most).map(isolated).join(' · ')
  const list = names.length > most ? `${shownNames} …` : shownNames
  return `${limit} ${text('chat.filesLeftOut', {count: names.length, names: list})}`
}

/** The files are too large together for one question to this model. */
function ExcessNote({attachments, model}: {attachments: readonly Attachment[]; model: OfferedModel | undefined}) {
  const text = useText()
  const {locale} = useLanguage()
  const excess = excessOf(attachments, model)
  if (excess === undefined || model === undefined) return null
  return (
    <p className={styles.held} role="status">
      {refusalWords(text, locale, excess, model)}
    </p>
  )
}

/** Models that take the files: those of the group for this question, others for a new conversation. */
function OtherModels(props: OpenProps & {presses: number}) {
  const {uploads, draftKey, model, models, onChooseModel, isTied = false, presses} = props
  const text = useText()
  const chat = useChat()
  const servedModels = useSelector(chat.actors?.provisioning, (snapshot) => snapshot && selectServedModels(snapshot))
  const takers = (candidates: readonly OfferedModel[]) =>
    candidates.filter((other) => other.disabled === undefined && uploads.isTakenBy(other))
  // a field for several models has none of its own
  const others =
    isTied || models.length === 0 || servedModels === undefined
      ? []
      : uploads.groups().filter((id) => id !== model?.group)
  const offers = offersOf(takers(models), takers(others.flatMap((id) => offeredModels(id, servedModels ?? []))))
  const takeAlong = ({group, name}: OfferedModel) => {
    chat.models.write(group, name)
    moveDraft(chat, draftKey, newDraftKey(group))
    chat.navigation.go({group, conversation: undefined})
  }
  return (
    <div className={styles.notice} role="group" aria-label={text('chat.modelForFiles')}>
      <p key={presses} className={styles.noticeText} role={presses > 0 ? 'alert' : 'status'}>
        {text(offers.length === 0 ? 'chat.modelForFilesNone' : 'chat.modelForFiles')}
      </p>
      {offers.map((other) =>
        models.includes(other) ? (
          <Button
            key={other.name}
            size="sm"
            onClick={({currentTarget}) => {
              focusFieldOf(currentTarget)
              onChooseModel(other.name)
            }}
          >
            {text('chat.useModel', {model: shownLabel(other, text)})}
          </Button>
        ) : (
          <Button key={other.name} size="sm" onClick={() => takeAlong(other)}>
            {text('chat.useModelInNew', {model: shownLabel(other, text), group: modelGroupNames[other.group]})}
          </Button>
        ),
      )}
    </div>
  )
}
