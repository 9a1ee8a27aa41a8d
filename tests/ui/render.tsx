// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- an ambient module has no import of its own
/// <reference path="../../src/app/virtual.d.ts" />
import {parse} from '@formatjs/icu-messageformat-parser'
import {render, type RenderResult} from '@testing-library/react'
import {useMemo, type ReactElement, type ReactNode} from 'react'
import {messageLoaders} from 'virtual:message-loaders'
import {LanguageProvider} from '#ui/language.tsx'
import './loaded-overlays.ts'

const load = async (locale: string) => {
  const loader = messageLoaders[locale]
  if (loader === undefined) throw new Error(`No messages for ${locale}`)
  return (await loader()).default
}
const messages = {en: await load('en'), de: await load('de'), ar: await load('ar')}

const rethrow = (error: unknown) => {
  throw error
}

export type TestLocale = keyof typeof messages

type Surroundings = {
  locale?: TestLocale
  /** ICU texts of messages that are not in the repository. */
  words?: Record<string, string>
}

/** Everything a view needs around it: the messages of a language. A missing message fails the test. */
export function TextProvider({locale = 'en', words, children}: Surroundings & {children: ReactNode}) {
  const shown = useMemo(() => {
    const more = Object.entries(words ?? {}).map(([id, message]) => [id, parse(message)] as const)
    return {...messages[locale], ...Object.fromEntries(more)}
  }, [locale, words])
  return (
    <LanguageProvider locale={locale} messages={shown} onError={rethrow}>
      {children}
    </LanguageProvider>
  )
}

/** Renders a view in a language. */
export const renderView = (view: ReactElement, surroundings: Surroundings = {}): RenderResult =>
  render(view, {
    wrapper: ({children}: {children: ReactNode}) => <TextProvider {...surroundings}>{children}</TextProvider>,
  })
