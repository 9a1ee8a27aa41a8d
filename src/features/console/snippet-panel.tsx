import {useState} from 'react'
import {examples} from 'virtual:media-tool-examples'
import {chatServiceId} from '#contract/chat.ts'
import {snippetLanguages, snippetOf, type SnippetCall, type SnippetLanguage} from '#domain/api-snippets.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {Select} from '#ui/forms/select.tsx'
import {useLanguage} from '#ui/language.tsx'
import {Segmented} from '#ui/segmented.tsx'
import {useText} from '#ui/text.tsx'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import styles from './snippet-panel.module.css'

/** Names of their own in every language. */
const languageNames: Record<SnippetLanguage, string> = {curl: 'curl', typescript: 'TypeScript', python: 'Python'}

type SnippetPanelProps = {
  /** Base URL of the AI service. */
  base: string
  model: string
  /** The one service that the application pays for. Absent: all of them. */
  serviceId: string | undefined
}

/** Programs that call a service with an API key, to copy. None where no example calls the application's service. */
export function SnippetPanel({base, model, serviceId}: SnippetPanelProps) {
  const text = useText()
  const [shownLanguage, setLanguage] = useState<SnippetLanguage>('curl')
  const [wantedName, setWantedName] = useState('')
  const chat: Offer = {id: 'chat', serviceId: chatServiceId, name: text('index.chat'), call: {kind: 'chat', model}}
  const offers = [chat, ...toolOffers].filter((one) => serviceId === undefined || one.serviceId === serviceId)
  const offer = offers.find(({id}) => id === wantedName) ?? offers[0]
  if (offer === undefined) return null
  const snippet = snippetOf({language: shownLanguage, base, call: offer.call})
  const label = `${languageNames[shownLanguage]} · ${offer.name}`
  return (
    <section className={classNames(surface.surface, styles.panel)} aria-label={text('credential.docsTitle')}>
      <h2 className={styles.title}>{text('credential.docsTitle')}</h2>
      <Help offer={offer} />
      <div className={styles.choices}>
        <Segmented
          label={text('credential.docsLanguage')}
          value={shownLanguage}
          options={snippetLanguages.map((value) => ({value, label: languageNames[value]}))}
          onChange={setLanguage}
        />
        {offers.length > 1 && (
          <label>
            <span className="visually-hidden">{text('credential.docsExample')}</span>
            <Select
              id="snippet-example"
              value={offer.id}
              options={offers.map(({id, name}) => ({value: id, label: name}))}
              onChange={setWantedName}
            />
          </label>
        )}
      </div>
      <figure className={styles.code} aria-label={label}>
        <figcaption className={styles.codeHead}>
          <bdi>{label}</bdi>
          <CopyButton labelled value={() => snippet} />
        </figcaption>
        <pre className={styles.pre} dir="ltr" tabIndex={0}>
          <code>{snippet}</code>
        </pre>
      </figure>
    </section>
  )
}

/** Says what the program needs, and what it does. */
function Help({offer}: {offer: Offer}) {
  const text = useText()
  const language = useLanguage()
  return (
    <p className={styles.help}>
      {language.format('credential.docsHelp', {
        variable: (
          <code key="variable" dir="ltr">
            ATRIUM_API_KEY
          </code>
        ),
      })}{' '}
      {text(offer.call.kind === 'chat' ? 'credential.docsChat' : 'credential.docsTask')}
      {offer.ownFile !== undefined && (
        <>
          {' '}
          {language.format('credential.docsOwnFile', {
            address: (
              <code key="address" dir="ltr">
                {offer.ownFile}
              </code>
            ),
          })}
        </>
      )}
    </p>
  )
}

type Offer = Pick<(typeof examples)[number], 'id' | 'serviceId' | 'name' | 'ownFile'> & {call: SnippetCall}

const toolOffers: readonly Offer[] = examples.map(({service, path, body, ...offer}) => ({
  ...offer,
  call: {kind: 'task', service, path, body},
}))
