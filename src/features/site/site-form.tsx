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

/** A site's settings for its admins (contract/screens §7, design/screens §11): edited in place, saved together. */
export function SiteForm({snapshot, send, tools, onImage}: SiteFormProps) {
  const text = useText()
  const draft = selectDraft(snapshot)
  if (draft === undefined) return null
  const faults = draftFaults(draft)
  const origin = selectSite(snapshot)?.origin ?? ''
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
      aria-label={text('index.menuSite')}
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
          <SearchPreview title={draft.title} origin={origin} description={draft.description} />
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
          <div className={styles.tools}>
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
          </div>
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
