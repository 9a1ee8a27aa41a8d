import {createServer} from 'vite'
import {median, quantile} from './figures.mjs'
import {textsOf} from './many-conversations.mjs'

const many = 2_000
const messages = 50
const rounds = 20

/** A search on the device (decision 55): 2,000 conversations of 50 messages. @type {import('./figures.mjs').Part} */
export const searchConversations = async () => {
  const vite = await createServer({
    server: {middlewareMode: true, hmr: false, ws: false},
    appType: 'custom',
    logLevel: 'error',
  })
  try {
    const {createSearchIndex} = await vite.ssrLoadModule('/src/domain/search-index.ts')
    const entries = Array.from({length: many}, (_, conversation) => ({
      key: `c${conversation}`,
      title: `Conversation ${conversation}`,
      updatedAt: conversation,
      answers: Array.from({length: messages / 2}, (_each, answer) => answer * 2 + 1),
      texts: textsOf(conversation, messages),
    }))
    const index = createSearchIndex()
    const filling = performance.now()
    for (let from = 0; from < many; from += 100) index.put(entries.slice(from, from + 100))
    const fillingTime = performance.now() - filling
    const timesOf = (/** @type {string} */ query, /** @type {number} */ least) =>
      Array.from({length: rounds}, () => {
        const startedAt = performance.now()
        const hits = index.find(query, 100)
        const time = performance.now() - startedAt
        if (hits.length < least) throw new Error(`"${query}" was found ${hits.length} times`)
        return time
      })
    const figure = (/** @type {string} */ name, /** @type {number[]} */ times) => [
      {name, kind: 'time', value: median(times), unit: 'ms', budget: 100},
      {name: 'p95', kind: 'time', value: quantile(times, 0.95), unit: 'ms'},
    ]
    const characters = entries.reduce((sum, {texts}) => sum + texts.join('').length, 0)
    return /** @type {import('./figures.mjs').Figure[]} */ ([
      {name: 'text', kind: 'count', value: Math.round(characters / 1_000_000), unit: 'million characters'},
      {name: 'the index is filled in', kind: 'time', value: fillingTime, unit: 'ms'},
      ...figure('a word of one conversation', timesOf('needle', 1)),
      ...figure('two words of it, folded', timesOf('ZOE needle', 1)),
      ...figure('Japanese words of it', timesOf('干し草の中', 1)),
      ...figure('a word of most conversations', timesOf('kite', 100)),
      ...figure('one letter', timesOf('e', 100)),
      ...figure('nothing', timesOf('nobody wrote this', 0)),
    ])
  } finally {
    await vite.close()
  }
}
