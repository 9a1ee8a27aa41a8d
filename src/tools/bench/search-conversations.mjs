import {createServer} from 'vite'
import {median, quantile} from './figures.mjs'

const many = 2_000
const messages = 50
const rounds = 20

/** Sentences in several scripts; Chinese and Japanese make the text of a conversation twice as wide in memory. */
const sentences = [
  'The kite rises over the harbour while the boats come home and nobody counts the hours of the evening.',
  'Straßenbahnen fahren bis Mitternacht; danach hilft nur ein Taxi, ein Fahrrad oder ein sehr langer Spaziergang.',
  'Ёлка стоит у окна, а за окном идёт снег, и никто не знает, когда он кончится в этом году.',
  'كتب الطالب رسالة طويلة إلى المدرسة وسأل فيها عن مواعيد الدروس والامتحانات في الفصل القادم.',
  '我今天想学习怎么做红烧肉，请告诉我需要哪些材料，以及每一步要用多长时间。',
  '東京タワーの近くで夕食を食べたいので、静かな店をいくつか教えてください。',
]

/** Every third conversation is Latin alone, as most are. */
const textOf = (/** @type {number} */ conversation, /** @type {number} */ message) => {
  const kinds = conversation % 3 === 0 ? 2 : sentences.length
  const said = (/** @type {number} */ index) => sentences[(conversation + message + index) % kinds]
  // answers have marks
  return message % 2 === 1
    ? `## ${said(0)}\n\n- **${said(1)}** ${said(2)}\n- ${said(3)}\n\n\`foo\` ${said(4)}`
    : Array.from({length: 5}, (_, index) => said(index)).join(' ')
}

/** A search on the device (docs/decisions/0055): 2,000 conversations of 50 messages. @type {import('./figures.mjs').Part} */
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
      texts: Array.from({length: messages}, (_each, message) =>
        // the words of the rare queries are in the oldest conversation, at its end
        conversation === 0 && message === messages - 1
          ? 'a needle of Zoë, 干し草の中の針'
          : textOf(conversation, message),
      ),
    }))
    const index = createSearchIndex()
    const filling = performance.now()
    for (let from = 0; from < many; from += 100) index.put(entries.slice(from, from + 100))
    const filled = performance.now() - filling
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
      {name: 'the index is filled in', kind: 'time', value: filled, unit: 'ms'},
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
