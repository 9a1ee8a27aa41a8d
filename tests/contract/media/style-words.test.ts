import {expect, test} from 'vitest'
import {styleWords} from '#contract/media/media-style-words.ts'
import {screen} from '#contract/media/midjourney.screen.ts'

/** Words of each kind (contract/media §2.1). */
const counts = {styles: 116, lighting: 38, artists: 76, material: 40, camera: 33, emotion: 14, chinese: 16, special: 16}

test('there are as many words of each kind as the contract counts, each once, and the form offers every kind', async () => {
  const field = screen.fields.find(({kind}) => kind === 'chips')
  if (field?.kind !== 'chips') throw new Error('The form has no words')
  expect(await field.words()).toBe(styleWords)
  expect(field.groups.map(({id}) => id)).toEqual(Object.keys(counts))
  expect(Object.fromEntries(Object.entries(styleWords).map(([kind, words]) => [kind, words.length]))).toEqual(counts)
  const all = Object.values(styleWords).flat()
  expect(new Set(all).size).toBe(all.length)
  // they stand in a list of commas in the prompt
  expect(all.filter((word) => !/^[^\s,-][^,\n]*[^\s,]$/.test(word))).toEqual([])
})
