import {readdirSync} from 'node:fs'
import {createIntl} from '@formatjs/intl'
import {expect, test} from 'vitest'
import {readLocale} from '#tools/locales.mjs'

/** Words of which the language has another one for the same thing. */
const otherWords: [locale: string, words: RegExp][] = [
  ['ru', /поставщик|картин|учётн/i],
  ['uk', /постачальник|картин|обліков/i],
  ['sr', /добављач|sandbox|ид-ов/i],
  ['zh-TW', /請求|QR 碼/],
  ['ja', /取り除/],
  // words of Portugal: the language is that of Brazil
  ['pt', /ficheiro|encomend|separador|prestador|buscador|noutr|guardar|prompts guard|transferir|tente novamente/i],
  ['pt', /\bdefiniç|\bregisto|já não|\b(?:está|estão|continua) a \p{L}+r\b|^A (?:aguard|tent|volt)ar/iu],
]

test.each(otherWords)('%s has one word for one thing', (locale, words) => {
  // users may type other words than the app says: these find commands of the palette and are never shown
  const messages = Object.entries(readLocale(locale)).filter(([id]) => !id.startsWith('words.'))
  expect(messages.filter(([, message]) => words.test(message))).toEqual([])
})

test.each([
  ['ru', 'администратор'],
  ['uk', 'адміністратор'],
  ['sr', 'администратор'],
  ['zh-CN', '管理员'],
  ['zh-TW', '管理員'],
  ['ja', '管理者'],
])('%s speaks of admins (%s) where English does, not of the operator', (locale, word) => {
  const english = readLocale('en')
  const wrong = Object.entries(readLocale(locale)).filter(([id, message]) => message.toLowerCase().includes(word) && !/admin/i.test(english[id] ?? ''))
  expect(wrong).toEqual([])
})

test.each([
  ['pt', /arquivo/i],
  ['es', /archivo/i],
])('%s says another word for the archive of conversations than for a file', (locale, file) => {
  const archive = Object.entries(readLocale(locale)).filter(([id]) => id.startsWith('chat.archive'))
  expect(archive.length).toBeGreaterThan(4)
  expect(archive.filter(([, message]) => file.test(message))).toEqual([])
})

test('two credits are a dual in Arabic, with no number before it', () => {
  const {formatMessage} = createIntl({locale: 'ar', messages: readLocale('ar')})
  const said = [1, 2, 3, 11].map((amount) => formatMessage({id: 'common.creditAmount'}, {amount}))
  expect(said).toEqual(['نقطة واحدة', 'نقطتان', '3 نقاط', '11 نقطة'])
})

test.each(['ru', 'uk', 'sr', 'ar'])('%s puts an amount whose form of the word is unknown behind a colon', (locale) => {
  const messages = readLocale(locale)
  for (const id of ['common.mediaCost', 'common.mediaMissing', 'application.credits'])
    expect(messages[id]).toMatch(/: \{amount\}$/)
})

const locales = readdirSync(new URL('../../locales', import.meta.url))

test.each(locales)('%s has other words for what is asked than for the way out beside it', (locale) => {
  const messages = readLocale(locale)
  const asked = ['share.revoke', 'chat.remove', 'index.settingDeviceClear', 'chat.labelSave', 'chat.exportGo']
  expect(asked.filter((id) => messages[id] === messages['common.cancel'])).toEqual([])
})

test.each(locales)('%s names the two buttons after a stopped answer differently: that goes on, and the questions on hold', (locale) => {
  const messages = readLocale(locale)
  expect(messages['chat.followUpsGoOn']).not.toBe(messages['chat.continue'])
})
