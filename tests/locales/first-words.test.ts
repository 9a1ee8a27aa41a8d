import {expect, test} from 'vitest'
import {readLocale} from '#tools/locales.mjs'
import {localesPlugin} from '#tools/locales-plugin.mjs'
import {read, targetOf} from '../source-files.ts'

/** Matches an import that a file needs before it runs. */
const staticImport = /^(?:import|export)\s(?!type\s)[^'"()]*?['"]([^'"]+)['"]/gm

/** The modules of the first screens: whatever the entry and a chat's route load without an `import()`. */
function firstModules(): string[] {
  const found = new Set(['src/app/main.tsx', 'src/app/chat/chat-zone.tsx'])
  for (const file of found)
    for (const [, specifier = ''] of read(file).matchAll(staticImport)) {
      const target = targetOf(file, specifier)
      if (target !== undefined && /\.tsx?$/.test(target)) found.add(target)
    }
  return [...found]
}

/** Ids of the messages that come before the first screen shows. */
function firstWords(): Set<string> {
  const {configResolved, buildStart, load} = localesPlugin()
  const call = (hook: unknown, ...values: unknown[]): unknown =>
    typeof hook === 'function' ? Reflect.apply(hook, {}, values) : undefined
  call(configResolved, {command: 'build', build: {ssr: false}})
  call(buildStart)
  const text = String(call(load, '\0virtual:messages/en'))
  const namespaces = JSON.parse(text.slice('export default '.length)) as Record<string, object>
  return new Set(Object.entries(namespaces).flatMap(([name, entries]) => Object.keys(entries).map((key) => `${name}.${key}`)))
}

test('what the modules of the first screens say has come with them', () => {
  const [known, came] = [new Set(Object.keys(readLocale('en'))), firstWords()]
  expect(came.size).toBeGreaterThan(100)
  const missingIds = firstModules().flatMap((file) =>
    [...read(file).matchAll(/['"`](\w+\.\w+)['"`]/g)]
      .map(([, id = '']) => id)
      .filter((id) => known.has(id) && !came.has(id))
      // the catalogue of models names their lines, which the menu shows; one stands on the screens of media tools alone
      .filter((id) => !/^chat\.model[A-Z]/.test(id) && id !== 'common.mediaSettings')
      // what became of a conversation is said beside its row, whose words have come
      .filter((id) => !/^chat\.((rename|mark|delete|restore|retry)Failed|conversationDeleted)$/.test(id))
      .map((id) => `${file}: ${id}`),
  )
  expect(missingIds).toEqual([])
})
