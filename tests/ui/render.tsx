// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- an ambient module has no import of its own
/// <reference path="../../src/app/virtual.d.ts" />
import {render, type RenderResult} from '@testing-library/react'
import type {ReactElement, ReactNode} from 'react'
import {IntlProvider} from 'react-intl'
import {messageLoaders} from 'virtual:message-loaders'

const load = async (locale: string) => {
  const loader = messageLoaders[locale]
  if (loader === undefined) throw new Error(`No messages for ${locale}`)
  return (await loader()).default
}
const messages = {en: await load('en'), de: await load('de'), ar: await load('ar')}

export type TestLocale = keyof typeof messages

/** Everything a view needs around it: the messages of a language. A missing message fails the test. */
export function TextProvider({locale = 'en', children}: {locale?: TestLocale; children: ReactNode}) {
  return (
    <IntlProvider
      locale={locale}
      messages={messages[locale]}
      onError={(error) => {
        throw error
      }}
    >
      {children}
    </IntlProvider>
  )
}

/** Renders a view in a language. */
export const renderView = (view: ReactElement, {locale = 'en'}: {locale?: TestLocale} = {}): RenderResult =>
  render(view, {
    wrapper: ({children}: {children: ReactNode}) => <TextProvider locale={locale}>{children}</TextProvider>,
  })
