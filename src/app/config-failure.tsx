import {createRoot} from 'react-dom/client'
import {PageConfigFailure} from '#browser/page-config.ts'
import {AuthPage} from '#features/auth/auth-page.tsx'
import {LanguageProvider} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {loadFirstWords, type MessageStore} from './locale-messages.ts'

/** Shown instead of the app: no actor runs, and no service is called. Rethrows any other failure. */
export async function showConfigFailure(failure: unknown, messages: MessageStore): Promise<void> {
  if (!(failure instanceof PageConfigFailure)) throw failure
  console.error(failure)
  const container = document.getElementById('root')
  if (container === null) throw new Error('The page has no element "root"')
  // the language that the page's first script chose
  await loadFirstWords(messages, document.documentElement.lang)
  await messages.loadPart('account')
  const language = messages.get()
  createRoot(container).render(
    <LanguageProvider
      locale={language?.locale ?? 'en'}
      messages={language?.messages ?? {}}
      onError={(error) => console.error(error)}
    >
      <ConfigFailure service={failure.key} />
    </LanguageProvider>,
  )
}

function ConfigFailure({service}: {service: PageConfigFailure['key']}) {
  const text = useText()
  const help = service === undefined ? text('index.configNoObject') : text('index.configWrongAddress', {key: service})
  return <AuthPage failed title={text('index.startFailed')} help={help} />
}
