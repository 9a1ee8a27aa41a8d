import {availableParallelism, cpus, loadavg} from 'node:os'
import {ensureBuilt} from './build.mjs'
import {ensureInstalled} from './install.mjs'

/*
 * `npm run bench`: each figure beside its budget (docs/architecture.md §7, docs/benchmarks.md). Bytes and counts over
 * their budget end with 1; times never do, since they tell as much about the machine as about Atrium.
 *
 *   --bytes        only bytes and counts: what may fail a build
 *   --only=a,e     only these parts: a page, b streaming, c long conversation, d routes, e server, f start, g media, h
 * tasks, i many tasks, j stopping, k hostile texts, l killed, m slow phone, n usage, o rows of usage, p search, q a
 * million tasks, r fail-over, s bucket, t many answers, u two nodes, v costs, w slow processor, x a list of
 * conversations, y search in the page, z media tasks
 *   --readers=elsewhere   in t: the readers are at another node than the answers
 *   --answers=100,300     in t: so many answers, without the search for the most
 *   --free                in u: also as fast as the machine lets two nodes, which takes twice the time
 */

const onlyBytes = process.argv.includes('--bytes')
const onlyLetters = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')

/**
 * @type {{letter: string, title: string, load: () => Promise<import('./bench/figures.mjs').Part>, measuresBytes?:
 * true}[]}
 */
const parts = [
  {
    letter: 'a',
    title: 'Cold chat screen',
    load: async () => (await import('./bench/page-bytes.mjs')).pageBytes,
    measuresBytes: true,
  },
  {
    letter: 'b',
    title: 'A 6,000-token answer at 200 tokens/s',
    load: async () => {
      const {streaming} = await import('./bench/streaming.mjs')
      const {typing} = await import('./bench/typing.mjs')
      return async (bench) => [...(await streaming(bench)), ...(await typing(bench))]
    },
  },
  {
    letter: 'c',
    title: 'Opening 2,000 messages',
    load: async () => (await import('./bench/long-conversation.mjs')).longConversation,
    measuresBytes: true,
  },
  {
    letter: 'd',
    title: '50 route changes',
    load: async () => (await import('./bench/routes.mjs')).routes,
    measuresBytes: true,
  },
  {
    letter: 'e',
    title: 'Server under streams',
    load: async () => (await import('./bench/streams.mjs')).streams,
    measuresBytes: true,
  },
  {letter: 'f', title: 'Start', load: async () => (await import('./bench/start.mjs')).start},
  {
    letter: 'g',
    title: 'Server while the sandbox makes videos',
    load: async () => (await import('./bench/media-threads.mjs')).mediaThreads,
  },
  {
    letter: 'h',
    title: 'A page of tasks into a long list',
    load: async () => (await import('./bench/merge-tasks.mjs')).mergeTasks,
  },
  {
    letter: 'i',
    title: 'Opening a tool with 1,000 tasks',
    load: async () => (await import('./bench/many-tasks.mjs')).manyTasks,
    measuresBytes: true,
  },
  {letter: 'j', title: 'Stopping an answer', load: async () => (await import('./bench/stopping.mjs')).stopping},
  {letter: 'k', title: 'Hostile texts', load: async () => (await import('./bench/hostile-texts.mjs')).hostileTexts},
  {
    letter: 'l',
    title: '1,000 answers when the server is killed',
    load: async () => (await import('./bench/kept-text.mjs')).keptText,
  },
  {
    letter: 'm',
    title: 'Cold chat screen on a slow phone',
    load: async () => (await import('./bench/slow-start.mjs')).slowStart,
  },
  {
    letter: 'n',
    title: 'Usage of 1,000,000 calls',
    load: async () => (await import('./bench/usage-totals.mjs')).usageTotals,
  },
  {
    letter: 'o',
    title: 'A usage page of 100 rows',
    load: async () => (await import('./bench/usage-rows.mjs')).usageRows,
  },
  {
    letter: 'p',
    title: 'A search in 2,000 conversations of 50 messages',
    load: async () => (await import('./bench/search-conversations.mjs')).searchConversations,
  },
  {
    letter: 'q',
    title: 'First page of a tool with 1,000,000 tasks',
    load: async () => (await import('./bench/tasks-page.mjs')).tasksPage,
  },
  {
    letter: 'r',
    title: 'A follower when a node dies',
    load: async () => (await import('./bench/fail-over.mjs')).failOver,
  },
  {
    letter: 's',
    title: 'A result of 10 MB on the disk and in a bucket',
    load: async () => (await import('./bench/bucket.mjs')).bucketCost,
  },
  {
    letter: 't',
    title: 'Many answers at 20 words a second',
    load: async () => (await import('./bench/many-answers.mjs')).manyAnswers,
  },
  {letter: 'u', title: 'Two nodes beside one', load: async () => (await import('./bench/two-nodes.mjs')).twoNodes},
  {
    letter: 'v',
    title: 'What one answer and one page cost',
    load: async () => (await import('./bench/unit-costs.mjs')).unitCosts,
  },
  {
    letter: 'w',
    title: 'An answer at 200 tokens/s on a slow processor',
    load: async () => (await import('./bench/slow-streaming.mjs')).slowStreaming,
  },
  {
    letter: 'x',
    title: 'A list of 2,000 conversations',
    load: async () => (await import('./bench/conversation-list.mjs')).conversationList,
    measuresBytes: true,
  },
  {
    letter: 'y',
    title: 'A search in the page, in 2,000 conversations of 50 messages',
    load: async () => (await import('./bench/search-page.mjs')).searchPage,
  },
  {
    letter: 'z',
    title: 'What a media task costs',
    load: async () => (await import('./bench/media-costs.mjs')).mediaCosts,
  },
]

ensureInstalled({development: true})
ensureBuilt()
const {createBench} = await import('./bench/installation.mjs')
const {isOver, tableOf} = await import('./bench/figures.mjs')
const {fixedWork, slowdown} = await import('./bench/processor-time.mjs')

const partsToRun = parts.filter(
  ({letter, measuresBytes}) => (onlyLetters?.includes(letter) ?? true) && (measuresBytes === true || !onlyBytes),
)
const load = loadavg()[0]?.toFixed(1)
process.stdout.write(
  `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, load ${load} at the start; ` +
    'times are medians on a machine that does other work too.\n',
)

const bench = await createBench()
let hasFailed = false
try {
  for (const {letter, title, load: loadPart} of partsToRun) {
    process.stdout.write(
      `\n(${letter}) ${title}; work takes ${slowdown().toFixed(1)} × its processor time now, a fixed piece of it ${fixedWork().toFixed(1)} ms\n`,
    )
    try {
      const measure = await loadPart()
      const figures = (await measure(bench)).filter(({kind}) => kind !== 'time' || !onlyBytes)
      process.stdout.write(`${tableOf(figures)}\n`)
      if (figures.some(isOver)) hasFailed = true
    } catch (error) {
      // One part that cannot be measured must not hide the others, nor pass for a good one.
      hasFailed = true
      process.stdout.write(`not measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    }
  }
} finally {
  await bench.close()
}
process.exitCode = hasFailed ? 1 : 0
