import {useId, type ReactNode} from 'react'
import {
  addWords,
  draftFaults,
  imageChange,
  imageOf,
  siteLimits,
  withAddress,
  type SiteImage,
  type SiteDraft,
  type SiteDraftFault,
} from '#domain/site-draft.ts'
import {type SiteFormSnapshot} from '#machines/site-form/site-form.machine.ts'
import {selectDraft, selectImage, selectSite} from '#machines/site-form/site-form.selectors.ts'
import {type SiteFormContext, type SiteFormEvent} from '#machines/site-form/site-form.types.ts'
import {imageRule} from '#domain/image-rule.ts'
import {charactersOf, shownDescription} from '#domain/search-preview.ts'
import {CountText} from '#ui/count-text.tsx'
import {Count, Field, noteProps} from '#ui/forms/field.tsx'
import {ImageField} from '#ui/forms/image-field.tsx'
import {Switch} from '#ui/forms/switch.tsx'
import {LineInput, TextArea} from '#ui/forms/text-area.tsx'
import {WordList} from '#ui/forms/word-list.tsx'
import {useText, type MessageId, type Text} from '#ui/text.tsx'
import {AccentField} from './accent-field.tsx'
import {SaveBar} from './save-bar.tsx'
import {SearchPreview} from './search-preview.tsx'
import styles from './site-form.module.css'

export type SiteTool = {id: string; name: string}

type SiteFormProps = {
  snapshot: SiteFormSnapshot
  send: (event: SiteFormEvent) => void
  tools: readonly SiteTool[]
  onImage: (field: SiteImage, file: File) => void
}

/** A site's settings for its admins (contract/screens §7, design/screens §11): edited in place, saved together. */
export function SiteForm({snapshot, send, tools, onImage: onImage}: SiteFormProps) {
  const text = useText()
  const draft = selectDraft(snapshot)
  if (draft === undefined) return null
  const faults = draftFaults(draft)
  const change = (changes: Partial<SiteDraft>) => send({type: 'draft.change', changes})
  const imageField = (field: SiteImage) => (
    <SiteImageField
      field={field}
      snapshot={snapshot}
      draft={draft}
      send={send}
      onChoose={(file) => onImage(field, file)}
    />
  )
  const channelSwitch = (channel: 'discord' | 'wechat', label: MessageId) =>
    draft[channel].address !== '' && (
      <Switch
        id={`site-${channel}`}
        label={text(label)}
        value={draft[channel].isOn}
        onChange={(isOn) => change({[channel]: {...draft[channel], isOn}})}
      />
    )
  return (
    <form
      className={styles.form}
      aria-label={text('site.title')}
      onSubmit={(event) => {
        event.preventDefault()
        send({type: 'form.save'})
      }}
    >
      <fieldset className={styles.fields} disabled={snapshot.hasTag('saving')}>
        <Section title={text('site.basic')}>
          <Line
            label={text('site.name')}
            value={draft.title}
            most={siteLimits.title}
            error={faultText(text, faults.title)}
            onChange={(title) => change({title})}
          />
          <Field id="site-origin" label={text('site.origin')} isGroup help={text('site.originHelp')}>
            <bdi dir="ltr" className={styles.origin}>
              {selectSite(snapshot)?.origin ?? text('site.none')}
            </bdi>
          </Field>
          {imageField('logo')}
          {imageField('favicon')}
          <AccentField value={draft.accent} onChange={(accent) => change({accent})} />
          <Words
            label={text('site.admins')}
            help={text('site.adminsHelp')}
            words={draft.admins}
            error={faultText(text, faults.admins)}
            onChange={(admins) => change({admins})}
          />
        </Section>
        <Section title={text('site.search')}>
          <Paragraph
            label={text('site.description')}
            help={text('site.descriptionHelp')}
            value={draft.description}
            error={faultText(text, faults.description)}
            onChange={(description) => change({description})}
          />
          <SearchPreview
            title={draft.title}
            origin={selectSite(snapshot)?.origin ?? ''}
            description={draft.description}
          />
          <Words
            label={text('site.keywords')}
            help={text('site.keywordsHelp')}
            words={draft.keywords}
            error={faultText(text, faults.keywords)}
            onChange={(keywords) => change({keywords})}
          />
        </Section>
        <Section title={text('site.distribution')}>
          <Line
            label={text('site.inviterDefault')}
            value={draft.defaultInviterId}
            error={faultText(text, faults.defaultInviterId)}
            onChange={(id) => change({defaultInviterId: id.trim()})}
          />
          <Line
            label={text('site.inviterForce')}
            help={text('site.inviterHelp')}
            value={draft.forceInviterId}
            error={faultText(text, faults.forceInviterId)}
            onChange={(id) => change({forceInviterId: id.trim()})}
          />
        </Section>
        <Section title={text('site.features')}>
          {tools.map(({id, name}) => (
            <Switch
              key={id}
              id={`site-tool-${id}`}
              label={name}
              value={draft.tools.includes(id)}
              onChange={(isOn) =>
                change({
                  tools: tools
                    .map((tool) => tool.id)
                    .filter((tool) => (tool === id ? isOn : draft.tools.includes(tool))),
                })
              }
            />
          ))}
        </Section>
        <Section title={text('site.support')}>
          <Line
            label={text('site.discord')}
            help={text('site.supportHelp')}
            value={draft.discord.address}
            error={faultText(text, faults.discord)}
            onChange={(address) => change({discord: withAddress(draft.discord, address.trim())})}
          />
          {channelSwitch('discord', 'site.discordOn')}
          {imageField('wechat')}
          {channelSwitch('wechat', 'site.wechatOn')}
        </Section>
      </fieldset>
      <SaveBar snapshot={snapshot} send={send} />
    </form>
  )
}

const faultTexts = {
  tooLong: 'site.tooLong',
  tooMany: 'site.tooMany',
  none: 'site.adminsNone',
  noId: 'site.noId',
  noAddress: 'site.noAddress',
} as const satisfies Record<SiteDraftFault, MessageId>

const faultText = (text: Text, fault: SiteDraftFault | undefined) =>
  fault === undefined ? undefined : text(faultTexts[fault])

type SiteImageProps = Pick<SiteFormProps, 'snapshot' | 'send'> & {
  field: SiteImage
  draft: SiteDraft
  onChoose: (file: File) => void
}

function SiteImageField({field, snapshot, draft, send, onChoose}: SiteImageProps) {
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

function Section({title, children}: {title: string; children: ReactNode}) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      <div className={styles.card}>{children}</div>
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

function Line({label, help, value, most, error, onChange}: TextFieldProps) {
  const id = useId()
  const end = most === undefined ? {} : {end: <Count now={value.length} most={most} />}
  return (
    <Field id={id} label={label} help={help} error={error} {...end}>
      <LineInput id={id} value={value} onChange={onChange} {...noteProps(id, help, error, most !== undefined)} />
    </Field>
  )
}

/** The count is of what search engines show; more may be written. */
function Paragraph({label, help, value, error, onChange}: TextFieldProps) {
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

function Words({label, help, words, error, onChange}: WordsProps) {
  const text = useText()
  const id = useId()
  return (
    <Field id={id} label={label} help={help} error={error}>
      <WordList
        id={id}
        words={words}
        onAdd={(typed) => onChange(addWords(words, typed))}
        onRemove={(gone) => onChange(words.filter((word) => word !== gone))}
        removeLabel={(word) => text('site.removeWord', {word})}
        {...noteProps(id, help, error)}
      />
    </Field>
  )
}
