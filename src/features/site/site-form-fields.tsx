import {useId, type ReactNode} from 'react'
import {
  addWords,
  imageChange,
  imageOf,
  type SiteImage,
  type SiteDraft,
  type SiteDraftFault,
} from '#domain/site-draft.ts'
import type {SiteFormSnapshot} from '#machines/site-form/site-form.machine.ts'
import {selectImage} from '#machines/site-form/site-form.selectors.ts'
import type {SiteFormContext, SiteFormEvent} from '#machines/site-form/site-form.types.ts'
import {imageRule} from '#domain/image-rule.ts'
import {charactersOf, shownDescription} from '#domain/search-preview.ts'
import {CountText} from '#ui/count-text.tsx'
import {Count, Field, noteProps} from '#ui/forms/field.tsx'
import {ImageField} from '#ui/forms/image-field.tsx'
import {LineInput, TextArea} from '#ui/forms/text-area.tsx'
import {WordList} from '#ui/forms/word-list.tsx'
import {useText, type MessageId, type Text} from '#ui/text.tsx'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import styles from './site-form.module.css'

const faultTexts = {
  tooLong: 'site.tooLong',
  tooMany: 'site.tooMany',
  none: 'site.adminsNone',
  noId: 'site.noId',
  noAddress: 'site.noAddress',
} as const satisfies Record<SiteDraftFault, MessageId>

export const faultText = (text: Text, fault: SiteDraftFault | undefined) =>
  fault === undefined ? undefined : text(faultTexts[fault])

type SiteImageProps = {
  snapshot: SiteFormSnapshot
  send: (event: SiteFormEvent) => void
  field: SiteImage
  draft: SiteDraft
  onChoose: (file: File) => void
}

export function SiteImageField({field, snapshot, draft, send, onChoose}: SiteImageProps) {
  const text = useText()
  const image = selectImage(snapshot)
  const isUploading = snapshot.matches({open: 'uploading'})
  const isOurs = image?.field === field
  return (
    <ImageField
      label={text(`site.${field}`)}
      help={text(`site.${field}Help`)}
      error={isOurs ? imageProblem(text, image) : undefined}
      url={imageOf(draft, field)}
      types={imageRule.types}
      isUploading={isUploading && isOurs}
      isWaiting={isUploading}
      onChoose={onChoose}
      onCancel={() => send({type: 'image.cancel'})}
      onRemove={() => send({type: 'draft.change', changes: imageChange(draft, field, '')})}
    />
  )
}

function imageProblem(text: Text, {fault, failure}: NonNullable<SiteFormContext['image']>): string | undefined {
  if (fault !== undefined)
    return text(fault.kind === 'size' || fault.kind === 'empty' ? 'site.pictureSize' : 'site.pictureType')
  return failure === undefined ? undefined : text('site.pictureFailed')
}

export function Section({title, children}: {title: string; children: ReactNode}) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classNames(surface.heading, styles.heading)}>
        {title}
      </h2>
      <div className={classNames(surface.surface, styles.card)}>{children}</div>
    </section>
  )
}

type TextFieldProps = {
  label: string
  help?: string
  value: string
  most?: number
  error: string | undefined
  onChange: (value: string) => void
}

export function Line({label, help, value, most, error, onChange}: TextFieldProps) {
  const id = useId()
  const end = most === undefined ? {} : {end: <Count now={value.length} most={most} />}
  return (
    <Field id={id} label={label} help={help} error={error} {...end}>
      <LineInput id={id} value={value} onChange={onChange} {...noteProps(id, help, error, most !== undefined)} />
    </Field>
  )
}

/** The count is of what search engines show; more may be written. */
export function Paragraph({label, help, value, error, onChange}: TextFieldProps) {
  const id = useId()
  const count = <CountText value={charactersOf(value)} most={shownDescription} />
  return (
    <Field id={id} label={label} help={help} error={error} end={count}>
      <TextArea id={id} rows={3} value={value} onChange={onChange} {...noteProps(id, help, error, true)} />
    </Field>
  )
}

type WordsProps = {
  label: string
  help: string
  words: readonly string[]
  error: string | undefined
  onChange: (words: string[]) => void
}

export function Words({label, help, words, error, onChange}: WordsProps) {
  const text = useText()
  const id = useId()
  return (
    <Field id={id} label={label} help={help} error={error}>
      <WordList
        id={id}
        words={words}
        onAdd={(newWords) => onChange(addWords(words, newWords))}
        onRemove={(removedWord) => onChange(words.filter((word) => word !== removedWord))}
        removeLabel={(word) => text('site.removeWord', {word})}
        {...noteProps(id, help, error)}
      />
    </Field>
  )
}
