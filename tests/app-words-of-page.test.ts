import {expect, test} from 'vitest'
import {wordsOfPage} from '#app/commands/words-of-page.ts'
import {partOf, readTools} from '#tools/locales.mjs'

test.each([
  ['/site', 'site', 'accentDefault'],
  ['/site', 'site', 'removePicture'],
  ['/distribution', 'distribution', 'shortenAgain'],
  ['/profile', 'index', 'profilePasswordChange'],
  ['/console/usage', 'usage', 'download'],
  ['/midjourney', 'midjourney', 'actionUpscale1'],
  ['/chatgpt/foo', 'chat', 'details'],
  ['/compare', 'compare', 'stopAll'],
])('on %s the palette finds a button of the page by its English words: %s.%s', (pathname, namespace, key) => {
  expect(['first', ...wordsOfPage(pathname)]).toContain(partOf(namespace, key, readTools()))
})

test.each(['/', '/compare', '/chatgpt', '/suno'])('on %s it loads no words of the console', (pathname) => {
  expect(wordsOfPage(pathname)).not.toContain('console')
})
