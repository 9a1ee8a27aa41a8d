import {useState} from 'react'
import {
  snippetLanguages,
  snippetOf,
  snippetOperations,
  type SnippetLanguage,
  type SnippetOperation,
} from '#domain/api-snippets.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {useLanguage} from '#ui/language.tsx'
import {Segmented} from '#ui/segmented.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import styles from './snippet-panel.module.css'

/** Names of their own in every language. */
const languageNames: Record<SnippetLanguage, string> = {curl: 'curl', typescript: 'TypeScript', python: 'Python'}
const operationNames: Record<SnippetOperation, MessageId> = {
  chat: 'index.chat',
  image: 'index.image',
  video: 'index.video',
  song: 'index.music',
}

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
  const language = useLanguage()
  const offered = snippetOperations.filter((one) => serviceId === undefined || one.serviceId === serviceId)
  const [shown, setShown] = useState<SnippetLanguage>('curl')
  const [wanted, setWanted] = useState<SnippetOperation>()
  const operation = offered.find(({id}) => id === wanted) ?? offered[0]
  if (operation === undefined) return null
  const snippet = snippetOf({language: shown, operation: operation.id, base, model})
  const label = `${languageNames[shown]} · ${text(operationNames[operation.id])}`
  return (
    <section className={styles.panel} aria-label={text('credential.docsTitle')}>
      <h2 className={styles.title}>{text('credential.docsTitle')}</h2>
      <p className={styles.help}>
        {language.format('credential.docsHelp', {
          variable: (
            <code key="variable" dir="ltr">
              ATRIUM_API_KEY
            </code>
          ),
        })}{' '}
        {text(operation.id === 'chat' ? 'credential.docsChat' : 'credential.docsTask')}
      </p>
      <div className={styles.choices}>
        <Segmented
          label={text('credential.docsLanguage')}
          value={shown}
          options={snippetLanguages.map((value) => ({value, label: languageNames[value]}))}
          onChange={setShown}
        />
        {offered.length > 1 && (
          <Segmented
            label={text('credential.docsExample')}
            value={operation.id}
            options={offered.map(({id}) => ({value: id, label: text(operationNames[id])}))}
            onChange={setWanted}
          />
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
