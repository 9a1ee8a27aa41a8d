import {readFileSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {commandIds} from '#app/commands/command-keys.ts'
import {otherWords} from '#app/commands/other-words.ts'
import {actionGroup, pageGroup, settingsGroup, toolGroup, type Making} from '#app/commands/page-commands.tsx'
import {wordsOfCommands} from '#app/commands/words-of-page.ts'
import {englishLabels, type EnglishLabels} from '#app/english-words.ts'
import {offerCommands} from '#browser/commands.ts'
import {chatModels} from '#contract/models.ts'
import {locales} from '#domain/locale.ts'
import type {CommandGroup} from '#features/shell/commands/command-entry.ts'
import {matchingCommands} from '#features/shell/commands/matching-commands.ts'
import {withLatin, withMoreWords} from '#features/shell/commands/more-words.ts'
import {tools} from '#features/shell/tools.ts'

const run = () => undefined
type File = Record<string, {message: string}>
const readFile = (locale: string, namespace: string) =>
  // as: tests/locales sees to it
  Object.entries(JSON.parse(readFileSync(`locales/${locale}/${namespace}.json`, 'utf8')) as File).map(
    ([key, {message}]) => [`${namespace}.${key}`, message] as const,
  )
const read = (locale: string): Record<string, string> =>
  Object.fromEntries(['chat', 'common', 'index', 'words'].flatMap((namespace) => readFile(locale, namespace)))
// other files of tests share this page
afterAll(offerCommands(Object.fromEntries(commandIds.map((id) => [id, run]))))

/** Entries of the menus of a message and of a conversation. */
const buttons = [
  ...['rename', 'share', 'pin', 'labelEdit', 'archiveOne', 'archiveBack', 'severalSelect', 'instructionsOne', 'remove'],
  ...['regenerate', 'readAloud', 'whatHappened', 'branch', 'outline', 'edit', 'copyMessage', 'answerWith', 'saveCode'],
].map((key) => `chat.${key}`)

const english = read('en')

function groupsIn(locale: string, labels: EnglishLabels): CommandGroup[] {
  const messages = read(locale)
  const text = (id: string, values: Record<string, string> = {}) =>
    (messages[id] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  // as: a message of the tests is a text
  const making = {text, english: (id: string) => english[id], go: run} as unknown as Making
  return [
    actionGroup(making, {print: run, signOut: run}),
    {
      id: 'conversation',
      heading: text('index.commandConversation'),
      entries: buttons.map((id) => ({id, label: text(id), words: labels(text(id)) ?? '', run})),
    },
    toolGroup(making, tools),
    pageGroup(making, true, {
      id: 'archive',
      label: text('chat.archiveOpen'),
      words: english['chat.archiveOpen'],
      run,
    }),
    {
      id: 'models',
      heading: text('index.commandModels'),
      entries: chatModels.map(({name, label, modelGroup}) => ({id: `model/${modelGroup}/${name}`, label, run})),
    },
    settingsGroup(making, {onTheme: run, onLocale: run, offersImport: true, locale}),
  ]
}

/** Typed words of users of a language, and the first command that they get. */
const typed: [locale: string, query: string, first: string][] = [
  ['de', 'dunkelmodus', 'theme/dark'],
  ['de', 'ausloggen', 'signOut'],
  ['en', 'rename chat', 'chat.rename'],
  ['en', 'delete this chat', 'chat.remove'],
  ['en', 'create an image', 'tool/nanobanana'],
  ['de', 'unterhaltung teilen', 'chat.share'],
  ['de', 'gespräch löschen', 'chat.remove'],
  ['de', 'den chat umbenennen', 'chat.rename'],
  ['es', 'borrar el chat', 'chat.remove'],
  ['fr', 'supprimer la conversation', 'chat.remove'],
  ['ru', 'удалить беседу', 'chat.remove'],
  ['ar', 'حذف الدردشة', 'chat.remove'],
  ['ja', 'チャットを削除', 'chat.remove'],
  ['ko', '채팅 삭제', 'chat.remove'],
  ['zh-CN', '删除聊天', 'chat.remove'],
  ['de', 'passwort ändern', 'page/profile'],
  ['es', 'modo oscuro', 'theme/dark'],
  ['es', 'cerrar la sesion', 'signOut'],
  ['fr', 'mode sombre', 'theme/dark'],
  ['fr', 'déconnexion', 'signOut'],
  ['fr', 'allemand', 'language/de'],
  ['it', 'modalità scura', 'theme/dark'],
  ['pt', 'modo noturno', 'theme/dark'],
  ['pt', 'deslogar', 'signOut'],
  ['sv', 'mörkt läge', 'theme/dark'],
  ['fi', 'yötila', 'theme/dark'],
  ['pl', 'tryb ciemny', 'theme/dark'],
  ['pl', 'klucz api', 'page/console/applications'],
  ['el', 'σκοτεινή λειτουργία', 'theme/dark'],
  ['ru', 'темный режим', 'theme/dark'],
  ['ru', 'тёмную тему', 'theme/dark'],
  ['ru', 'выход', 'signOut'],
  ['ru', 'пароль', 'page/profile'],
  ['uk', 'нічний режим', 'theme/dark'],
  ['sr', 'тамни режим', 'theme/dark'],
  ['sr', 'tamni režim', 'theme/dark'],
  ['sr', 'izloguj se', 'signOut'],
  ['sr', 'podesavanja izgled', 'settings/appearance'],
  ['sr', 'obaveštenja', 'settings/general'],
  ['sr', 'boju', 'settings/appearance'],
  ['sr', 'tamnu temu', 'theme/dark'],
  ['sr', 'napravi sliku', 'tool/midjourney'],
  ['sr', 'promeni šifru', 'page/profile'],
  ['sr', 'obriši razgovor', 'chat.remove'],
  ['sr', 'обриши разговор', 'chat.remove'],
  ['ar', 'الوضع الليلي', 'theme/dark'],
  ['ar', 'وضع ليلي', 'theme/dark'],
  ['ar', 'كلمة السر', 'page/profile'],
  ['ar', 'لغة', 'settings/language'],
  ['ar', 'القائمة الجانبية', 'togglePanel'],
  ['ar', 'شات جديد', 'newChat'],
  ['ar', 'حذف الشات', 'chat.remove'],
  ['ar', 'مقارنة الموديلات', 'page/compare'],
  ['ar', 'تغيير الموديل', 'chat.answerWith'],
  ['ar', 'برومبت', 'settings/chat'],
  ['ar', 'وسم', 'chat.labelEdit'],
  ['ar', 'خروج', 'signOut'],
  ['ja', 'ダークモード', 'theme/dark'],
  ['ja', 'サインアウト', 'signOut'],
  ['ja', '会話を共有', 'chat.share'],
  ['ko', '다크모드', 'theme/dark'],
  ['ko', '다크 모드', 'theme/dark'],
  ['ko', '탈퇴', 'page/profile'],
  ['zh-CN', '夜间模式', 'theme/dark'],
  ['zh-CN', '分享对话', 'chat.share'],
  ['zh-CN', '修改密码', 'page/profile'],
  ['zh-CN', '切换到深色模式', 'theme/dark'],
  ['zh-TW', '夜間模式', 'theme/dark'],
  ['zh-TW', '登出帳號', 'signOut'],
  // the archive, also when no conversation is open
  ['en', 'archived', 'archive'],
  ['de', 'archivierte', 'archive'],
  ['es', 'archivadas', 'archive'],
  ['fi', 'arkistoidut', 'archive'],
  ['fr', 'archivées', 'archive'],
  ['it', 'archiviate', 'archive'],
  ['pl', 'zarchiwizowane', 'archive'],
  ['pt', 'arquivadas', 'archive'],
  ['sv', 'arkiverade', 'archive'],
  ['ar', 'المؤرشفة', 'archive'],
  ['ar', 'الدردشات المؤرشفة', 'archive'],
  ['en', 'archived chats', 'archive'],
  ['ru', 'архивные', 'archive'],
  ['uk', 'архівовані', 'archive'],
  ['sr', 'архивирани', 'archive'],
  ['sr', 'arhivirani', 'archive'],
  ['el', 'αρχειοθετημένες', 'archive'],
  ['ja', 'アーカイブ済み', 'archive'],
  ['ko', '보관된 대화', 'archive'],
  ['zh-CN', '已归档', 'archive'],
  ['zh-TW', '已封存', 'archive'],
  // names in the letters of the language
  ['ar', 'ديب سيك', 'tool/deepseek'],
  ['ar', 'جروك', 'tool/grok'],
  ['ar', 'غروك', 'tool/grok'],
  ['ar', 'شات جي بي تي', 'tool/chatgpt'],
  ['ar', 'ميدجورني', 'tool/midjourney'],
  ['ar', 'فلكس', 'tool/flux'],
  ['ar', 'سونو', 'tool/suno'],
  ['ar', 'سورا', 'tool/sora'],
  ['ru', 'дипсик', 'tool/deepseek'],
  ['ru', 'чатгпт', 'tool/chatgpt'],
  ['ru', 'миджорни', 'tool/midjourney'],
  ['uk', 'діпсік', 'tool/deepseek'],
  ['uk', 'грок', 'tool/grok'],
  ['sr', 'дипсик', 'tool/deepseek'],
  ['sr', 'čet džipiti', 'tool/chatgpt'],
  ['el', 'γκροκ', 'tool/grok'],
  ['ja', 'ディープシーク', 'tool/deepseek'],
  ['ja', 'グロック', 'tool/grok'],
  ['ko', '딥시크', 'tool/deepseek'],
  ['ko', '그록', 'tool/grok'],
  ['ko', '챗지피티', 'tool/chatgpt'],
  ['zh-CN', '深度求索', 'tool/deepseek'],
  ['zh-CN', '可灵', 'tool/kling'],
  ['zh-TW', '深度求索', 'tool/deepseek'],
  ['el', 'τζέμινι', 'tool/nanobanana'],
  ['ja', 'ジェミニ', 'tool/nanobanana'],
  ['ko', '제미나이', 'tool/nanobanana'],
  ['ko', '제미니', 'tool/nanobanana'],
  ['ru', 'фото на документы', 'tool/headshots'],
  ['sr', 'слика за документа', 'tool/headshots'],
  // words of every day
  ['ar', 'كود', 'chat.saveCode'],
  ['ar', 'برمجة', 'chat.saveCode'],
  ['ar', 'دارك مود', 'theme/dark'],
  ['ar', 'شير', 'chat.share'],
  ['ar', 'فلوس', 'page/console/applications'],
  ['ar', 'دور', 'find'],
  ['ar', 'تاق', 'chat.labelEdit'],
  ['de', 'pinnen', 'chat.pin'],
  ['de', 'abo', 'page/console/applications'],
  ['ru', 'счёт', 'page/console/applications'],
  ['ru', 'отправить', 'chat.share'],
  ['uk', 'картинки', 'tool/midjourney'],
  ['en', 'songs', 'tool/suno'],
  ['zh-CN', '新对话', 'newChat'],
  ['zh-CN', '新聊天', 'newChat'],
  ['zh-CN', '会员', 'page/console/applications'],
  ['zh-CN', '生图', 'tool/midjourney'],
  ['zh-CN', '代码', 'chat.saveCode'],
  ['zh-TW', '新對話', 'newChat'],
  ['zh-TW', '程式設計', 'chat.saveCode'],
  ['zh-TW', '編程', 'chat.saveCode'],
  ['ja', 'コード', 'chat.saveCode'],
  ['ko', '코드', 'chat.saveCode'],
]

/** With a preposition that begins other words of some commands, or is in their names. */
const photos: Partial<Record<string, string[]>> = {
  es: ['foto de perfil', 'una foto para el perfil'],
  ru: ['фото на документы', 'фото на документ'],
  sr: ['слика за документа', 'slika za dokumenta'],
}

/** Articles and prepositions, which say nothing of a tool. */
const particles: Partial<Record<string, string[]>> = {
  ...{es: ['de', 'para'], fr: ['de', 'pour'], pt: ['de', 'para'], it: ['di', 'per'], de: ['mit', 'für']},
  ...{ru: ['на', 'для'], uk: ['на', 'для'], sr: ['на', 'за'], ar: ['في', 'من'], el: ['για', 'από']},
}

describe.each(locales)('%s', (locale) => {
  let groups: CommandGroup[]
  const messages = read(locale)
  let others: (id: string) => string
  let labels: EnglishLabels
  const complete = (group: CommandGroup) => {
    const completeGroup = withMoreWords(group, {english: labels, others})
    return locale === 'sr' ? withLatin(completeGroup) : completeGroup
  }
  beforeAll(async () => {
    labels = await englishLabels(locale, wordsOfCommands)
    others = await otherWords(locale)
    groups = groupsIn(locale, labels)
  })
  const found = (query: string) =>
    matchingCommands(groups.map(complete), {query, recent: [], recentHeading: ''}).flatMap(({entries}) =>
      entries.map(({id}) => id),
    )

  test('every command is found by words of the language and by English ones', () => {
    for (const group of groups)
      for (const entry of group.entries) {
        const ids: string[] = []
        const alone = {...group, entries: [entry]}
        withMoreWords(alone, {english: labels, others: (id) => `${ids.push(id)}`})
        // words of its own, beside those of the heading
        expect(
          ids.filter((id) => id !== 'conversation'),
          entry.label,
        ).not.toEqual([])
        const words = ids.flatMap((id) => [messages[`words.${id}`], english[`words.${id}`]])
        const missing = words
          .flatMap((message) => message?.split(' ') ?? [''])
          .filter((query) => matchingCommands([complete(alone)], {query, recent: [], recentHeading: ''}).length === 0)
        expect(missing, entry.label).toEqual([])
      }
  })

  test('dark mode, night, sign out, api key: in English everywhere', () => {
    expect(found('dark mode')[0]).toBe('theme/dark')
    expect(found('night')[0]).toBe('theme/dark')
    expect(found('sign out')[0]).toBe('signOut')
    expect(found('api key')[0]).toBe('page/console/applications')
    expect(found('share conversation')[0]).toBe('chat.share')
    expect(found('draw')).toContain('tool/midjourney')
    expect(found('change the language')).toContain('settings/language')
    // the word alone is the tab, not eight of eighteen languages
    expect(found(messages['index.language'] ?? '')[0]).toBe('settings/language')
  })

  const [inOwnLetters = ''] = (messages['words.deepseek'] ?? '').split(' ')
  // in Latin letters it is found by the name anyway
  const isInName = 'deepseek'.includes(inOwnLetters)
  test.each(isInName ? [] : [inOwnLetters])('%s finds the models of its group', (name) => {
    expect(found(name)).toEqual(expect.arrayContaining(['tool/deepseek', 'model/deepseek/deepseek-r1']))
  })

  test.each(photos[locale] ?? [])('%s finds the tool and its results', (query) => {
    expect(found(query)).toEqual(expect.arrayContaining(['tool/headshots', 'history/headshots']))
  })

  test.each(particles[locale] ?? [])('no tool has the particle %s among its words', (particle) => {
    const words = tools.flatMap(({id}) => messages[`words.${id}`]?.split(' ') ?? [])
    expect(words).not.toContain(particle)
  })

  test.each(typed.filter(([language]) => language === locale))('%s: %s', (_, query, id) => {
    expect(found(query)[0]).toBe(id)
  })
})
