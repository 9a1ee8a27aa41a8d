import type {ReactNode} from 'react'
import {isPlaceholderOrigin} from '#domain/site-origin.ts'
import {draftFaults, siteLimits, withAddress, type SiteImage, type SiteDraft} from '#domain/site-draft.ts'
import type {SiteFormSnapshot} from '#machines/site-form/site-form.machine.ts'
import {selectDraft, selectSite} from '#machines/site-form/site-form.selectors.ts'
import type {SiteFormEvent} from '#machines/site-form/site-form.types.ts'
import {Field} from '#ui/forms/field.tsx'
import {Switch} from '#ui/forms/switch.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {AccentField} from './accent-field.tsx'
import {SaveBar} from './save-bar.tsx'
import {SearchPreview} from './search-preview.tsx'
import styles from './site-form.module.css'
import {faultText, SiteImageField, Section, Line, Paragraph, Words} from './site-form-fields.tsx'

export type SiteTool = {id: string; name: string}

type SiteFormProps = {
  snapshot: SiteFormSnapshot
  send: (event: SiteFormEvent) => void
  tools: readonly SiteTool[]
  onImage: (field: SiteImage, file: File) => void
}

type SectionProps = {
  draft: SiteDraft
  /** Why a field cannot be saved as it is. */
  errorOf: (field: keyof SiteDraft) => string | undefined
  change: (changes: Partial<SiteDraft>) => void
}

/** A site's settings for its admins (contract/screens §7, design/screens §11): edited in place, saved together. */
export function SiteForm({snapshot, send, tools, onImage}: SiteFormProps) {
  const text = useText()
  const draft = selectDraft(snapshot)
  if (draft === undefined) return null
  const faults = draftFaults(draft)
  const origin = selectSite(snapshot)?.origin ?? ''
  const section: SectionProps = {
    draft,
    errorOf: (field) => faultText(text, faults[field]),
    change: (changes) => send({type: 'draft.change', changes}),
  }
  const imageField = (field: SiteImage) => (
    <SiteImageField
      field={field}
      snapshot={snapshot}
      draft={draft}
      send={send}
      onChoose={(file) => onImage(field, file)}
    />
  )
  return (
    <form
      className={styles.form}
      aria-label={text('index.menuSite')}
      onSubmit={(event) => {
        event.preventDefault()
        send({type: 'form.save'})
      }}
    >
      <fieldset className={styles.fields} disabled={snapshot.hasTag('saving')}>
        <BasicSection {...section} origin={origin}>
          {imageField('logo')}
          {imageField('favicon')}
        </BasicSection>
        <SearchSection {...section} origin={origin} />
        <DistributionSection {...section} />
        <ToolsSection {...section} tools={tools} />
        <SupportSection {...section}>{imageField('wechat')}</SupportSection>
      </fieldset>
      <SaveBar snapshot={snapshot} send={send} />
    </form>
  )
}

/** `children`: the images of the site. */
function BasicSection({
  draft,
  errorOf,
  change,
  origin,
  children,
}: SectionProps & {origin: string; children: ReactNode}) {
  const text = useText()
  return (
    <Section title={text('site.basic')}>
      <Line
        label={text('site.name')}
        value={draft.title}
        most={siteLimits.title}
        error={errorOf('title')}
        onChange={(title) => change({title})}
      />
      <Field
        id="site-origin"
        label={text('site.origin')}
        isGroup
        help={text(isPlaceholderOrigin(origin) ? 'site.originPlaceholder' : 'site.originHelp')}
      >
        <p className={styles.origin}>
          <bdi dir="ltr">{origin === '' ? text('site.none') : origin}</bdi>
        </p>
      </Field>
      {children}
      <AccentField value={draft.accent} onChange={(accent) => change({accent})} />
      <Words
        label={text('site.admins')}
        help={text('site.adminsHelp')}
        words={draft.admins}
        error={errorOf('admins')}
        onChange={(admins) => change({admins})}
      />
    </Section>
  )
}

/** The fields for search engines. */
function SearchSection({draft, errorOf, change, origin}: SectionProps & {origin: string}) {
  const text = useText()
  return (
    <Section title={text('site.search')}>
      <Paragraph
        label={text('site.description')}
        help={text('site.descriptionHelp')}
        value={draft.description}
        error={errorOf('description')}
        onChange={(description) => change({description})}
      />
      <SearchPreview title={draft.title} origin={origin} description={draft.description} />
      <Words
        label={text('site.keywords')}
        help={text('site.keywordsHelp')}
        words={draft.keywords}
        error={errorOf('keywords')}
        onChange={(keywords) => change({keywords})}
      />
    </Section>
  )
}

/** The setting of who counts as the inviter of new users. */
function DistributionSection({draft, errorOf, change}: SectionProps) {
  const text = useText()
  return (
    <Section title={text('site.distribution')}>
      <Line
        label={text('site.inviterDefault')}
        value={draft.defaultInviterId}
        error={errorOf('defaultInviterId')}
        onChange={(id) => change({defaultInviterId: id.trim()})}
      />
      <Line
        label={text('site.inviterForce')}
        help={text('site.inviterHelp')}
        value={draft.forceInviterId}
        error={errorOf('forceInviterId')}
        onChange={(id) => change({forceInviterId: id.trim()})}
      />
    </Section>
  )
}

/** Which tools the site offers; they stay in the order of the page. */
function ToolsSection({draft, change, tools}: SectionProps & {tools: readonly SiteTool[]}) {
  const text = useText()
  const toggle = (id: string, isOn: boolean) => {
    const ids = tools.map((tool) => tool.id)
    change({tools: ids.filter((each) => (each === id ? isOn : draft.tools.includes(each)))})
  }
  return (
    <Section title={text('site.features')}>
      <div className={styles.tools}>
        {tools.map(({id, name}) => (
          <Switch
            key={id}
            id={`site-tool-${id}`}
            label={name}
            value={draft.tools.includes(id)}
            onChange={(isOn) => toggle(id, isOn)}
          />
        ))}
      </div>
    </Section>
  )
}

/** The fields for users who look for help. `children`: the code of the WeChat group. */
function SupportSection({draft, errorOf, change, children}: SectionProps & {children: ReactNode}) {
  const text = useText()
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
    <Section title={text('site.support')}>
      <Line
        label={text('site.discord')}
        help={text('site.supportHelp')}
        value={draft.discord.address}
        error={errorOf('discord')}
        onChange={(address) => change({discord: withAddress(draft.discord, address.trim())})}
      />
      {channelSwitch('discord', 'site.discordOn')}
      {children}
      {channelSwitch('wechat', 'site.wechatOn')}
    </Section>
  )
}
