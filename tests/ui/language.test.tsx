import {parse} from '@formatjs/icu-messageformat-parser'
import {cleanup, render, screen} from '@testing-library/react'
import {afterEach, describe, expect, it, vi} from 'vitest'
import {LanguageProvider, useLanguage} from '#ui/language.tsx'
import {type MessageId} from '#ui/message-id.ts'
import {useText, type MessageValues} from '#ui/text.tsx'

afterEach(cleanup)

// as: messages of this test alone
const id = 'chat.test' as MessageId

function Sentence({values}: {values?: MessageValues}) {
  return <p>{useText()(id, values)}</p>
}
function Rich() {
  const language = useLanguage()
  return (
    <p>
      {language.format(id, {
        amount: <b key="amount">3</b>,
        link: (chunks) => (
          <a key="link" href="/">
            {chunks}
          </a>
        ),
      })}
    </p>
  )
}

const show = (view: React.ReactNode, message: string | undefined, locale = 'en') => {
  const onError = vi.fn()
  const messages = message === undefined ? {} : {[id]: parse(message)}
  const shown = render(
    <LanguageProvider locale={locale} messages={messages} onError={onError}>
      {view}
    </LanguageProvider>,
  )
  return {onError, html: shown.container.innerHTML}
}

describe('a message', () => {
  it('takes its values and the plural of its language', () => {
    const message = '{count, plural, one {# задача} few {# задачи} many {# задач} other {# задачи}} {name}'
    expect(show(<Sentence values={{count: 5, name: 'x'}} />, message, 'ru').html).toBe('<p>5 задач x</p>')
  })

  it('puts elements where the translation has them', () => {
    const {html, onError} = show(<Rich />, '<link>You</link> have {amount} left')
    expect(html).toBe('<p><a href="/">You</a> have <b>3</b> left</p>')
    expect(onError).not.toHaveBeenCalled()
  })

  it('that is missing is its id, and said once to the log', () => {
    const {html, onError} = show(<Sentence />, undefined, 'de')
    expect(html).toBe('<p>chat.test</p>')
    expect(onError).toHaveBeenCalledOnce()
    expect(String(onError.mock.calls[0])).toContain('Missing message: "chat.test" for locale "de"')
  })

  it('that lacks a value is its id, never half a sentence', () => {
    const {html, onError} = show(<Sentence />, 'Sent to {name}')
    expect(html).toBe('<p>chat.test</p>')
    expect(onError).toHaveBeenCalledOnce()
  })

  it('changes with its language', () => {
    const view = (locale: string, message: string) => (
      <LanguageProvider locale={locale} messages={{[id]: parse(message)}} onError={vi.fn()}>
        <Sentence />
      </LanguageProvider>
    )
    const {rerender} = render(view('en', 'Stop'))
    rerender(view('de', 'Anhalten'))
    expect(screen.getByText('Anhalten')).toBeTruthy()
  })
})
