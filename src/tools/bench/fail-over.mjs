import {once} from 'node:events'
import {request} from 'node:http'
import {connect, createServer} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {median, time} from './figures.mjs'
import {questions} from './model-server.mjs'
import {createNodes} from './nodes.mjs'

const rounds = 5
/** The answers go on for longer than anybody follows them. */
const question = questions.stamps(3_000, 20)

/**
 * The nodes of a round: the one that produces the answers, the one that is followed, and one more, which has not their
 * words in memory.
 * @typedef {import('./nodes.mjs').Node} Node
 * @typedef {{answering: Node, serving: Node, other: Node}} Three
 * @typedef {{id: string, message: string, attempt: number}} Head what an answer is resumed by
 */

/**
 * Balances as balancers do: a connection goes to the first node that takes it, and ends when its node does.
 * @returns {Promise<{url: string, lead: (...ports: number[]) => void, close: () => void}>}
 */
const startBalancer = async () => {
  /** @type {number[]} */
  let targets = []
  const server = createServer((near) => {
    near.on('error', () => undefined)
    near.pause()
    const lead = (/** @type {readonly number[]} */ [port, ...others]) => {
      if (port === undefined) return near.destroy()
      const far = connect(port, '127.0.0.1')
      let isConnected = false
      far.on('connect', () => {
        isConnected = true
        near.pipe(far).pipe(near)
      })
      far.on('error', () => (isConnected ? near.destroy() : lead(others)))
      far.on('close', () => isConnected && near.destroy())
      near.on('close', () => far.destroy())
    }
    lead(targets)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The balancer does not listen')
  return {url: `http://localhost:${address.port}`, lead: (...ports) => (targets = ports), close: () => server.close()}
}

/**
 * Follows an answer at a node until the connection ends. `onFrame` gets each frame and the number of its delta.
 * `any`: the fields of a frame differ from one to the next.
 * @param {Node} node @param {string} token @param {object} body
 * @param {(frame: Record<string, any>, seq: number) => void} onFrame
 * @returns {Promise<void>}
 */
const follow = ({chatUrl}, token, body, onFrame) =>
  new Promise((resolve, reject) => {
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream'}
    const call = request(chatUrl, {method: 'POST', agent: false, headers}, (response) => {
      if (response.statusCode !== 200) reject(new Error(`Answered with ${response.statusCode}`))
      let rest = ''
      let seq = 0
      response.setEncoding('utf8')
      // a broken connection is what this part waits for
      response.on('error', () => undefined)
      response.on('close', () => resolve())
      response.on('data', (/** @type {string} */ part) => {
        const lines = `${rest}${part}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (line.startsWith('id: ')) seq = Number(line.slice('id: '.length))
          else if (line.startsWith('data: {')) onFrame(JSON.parse(line.slice('data: '.length)), seq)
        }
      })
    })
    call.on('error', reject)
    call.end(JSON.stringify(body))
  })

/**
 * Asks at a node; resolves once the answer has its first word. @param {Node} node @param {string} token @returns
 * {Promise<Head>}
 */
const ask = (node, token) =>
  new Promise((resolve, reject) => {
    /** @type {Head | undefined} */
    let head
    follow(node, token, {model: 'gpt-5', question, stateful: true}, ({id, message, attempt, delta_answer: word}) => {
      if (message !== undefined) head = {id, message, attempt}
      if (word && head !== undefined) resolve(head)
    }).catch(reject)
  })

/**
 * Follows an answer at `serving`, kills it, and goes on at `other` at once. Returns the milliseconds to the first word
 * that was made after the death, and how many words were lost or doubled.
 * @param {Three} three @param {string} token
 */
const loseServing = async ({answering, serving, other}, token) => {
  const head = await ask(answering, token)
  /** @type {number[]} */
  const seqs = []
  /**
   * Goes on after the last word that came. `isEnough` gets the time at which a word was made. @param {Node} node @param
   * {(madeAt: number) => boolean} isEnough
   */
  const listen = (node, isEnough) => {
    /** @type {(at: number) => void} */
    let reached = () => undefined
    const end = follow(node, token, {action: 'resume', ...head, last_seq: seqs.at(-1) ?? 0}, (frame, seq) => {
      if (!frame.delta_answer) return
      seqs.push(seq)
      if (isEnough(Number(frame.delta_answer.trim()))) reached(Date.now())
    })
    /** @type {Promise<number>} */
    const reachedAt = new Promise((resolve, reject) => {
      reached = resolve
      end.catch(reject)
    })
    return {reachedAt, ended: end}
  }
  const first = listen(serving, () => seqs.length > 20)
  await first.reachedAt
  const killedAt = Date.now()
  await serving.end('kill')
  await first.ended
  const silence = (await listen(other, (madeAt) => madeAt > killedAt).reachedAt) - killedAt
  return {silence, missing: seqs.filter((seq, index) => seq !== index + 1).length}
}

/**
 * The same for a page of the app behind the balancer, with its own pauses: milliseconds until it shows a word that was
 * made after the death.
 * @param {Three} three @param {import('./installation.mjs').Bench} bench @param {{user:
 * import('./installation.mjs').User, url: string}} visit
 */
const losePage = async ({answering, serving}, bench, {user, url}) => {
  const {id} = await ask(answering, user.token)
  const context = await bench.freshContext(user)
  const page = await context.newPage()
  await page.goto(`${url}/chatgpt/conversations/${id}`)
  const wordAfter = async (/** @type {number} */ time) => {
    const handle = await page.waitForFunction((time) => {
      const text = [...document.querySelectorAll('[role=log] article')].at(-1)?.textContent ?? ''
      const newest = Math.max(0, ...(text.slice(-500).match(/\b\d{13}(?=\s|\d|$)/g) ?? []).map(Number))
      return newest > time ? Date.now() : undefined
    }, time)
    return Number(await handle.jsonValue())
  }
  await wordAfter(Date.now())
  const killedAt = Date.now()
  await serving.end('kill')
  const milliseconds = (await wordAfter(killedAt)) - killedAt
  await context.close()
  return milliseconds
}

/**
 * Follows an answer at `other`, and kills the node that produces it: milliseconds until the follower hears that it was
 * interrupted.
 * @param {Three} three @param {string} token
 */
const loseAnswering = async ({answering, other}, token) => {
  const head = await ask(answering, token)
  /** @type {Promise<number>} */
  const interruptedAt = new Promise((resolve, reject) => {
    follow(other, token, {action: 'resume', ...head, last_seq: 0}, ({outcome, error}) => {
      if (outcome === 'interrupted') resolve(Date.now())
      else if (error) reject(new Error(`It ended as ${outcome}`))
    }).catch(reject)
  })
  await delay(500)
  const killedAt = Date.now()
  await answering.end('kill')
  return (await interruptedAt) - killedAt
}

/**
 * How long a follower is without words when the node that serves it dies, and how long until it hears that the node
 * which answers is dead. Three nodes on one PostgreSQL, two of them ended by SIGKILL.
 * @type {import('./figures.mjs').Part}
 */
export const failOver = async (bench) => {
  const balancer = await startBalancer()
  const nodes = await createNodes(bench, {PUBLIC_ORIGINS: balancer.url, REGISTRATION: 'open'})
  try {
    const three = {answering: await nodes.start(), serving: await nodes.start(), other: await nodes.start()}
    const leadToServing = () => balancer.lead(three.serving.port, three.other.port)
    const replaceServing = async () => {
      three.serving = await nodes.start()
      leadToServing()
    }
    leadToServing()
    const user = await bench.userAt(balancer.url)
    const silences = []
    const onScreen = []
    const deaths = []
    let missing = 0
    for (let round = 0; round < rounds; round += 1) {
      const stream = await loseServing(three, user.token)
      silences.push(stream.silence)
      missing += stream.missing
      await replaceServing()
      onScreen.push(await losePage(three, bench, {user, url: balancer.url}))
      await replaceServing()
      deaths.push(await loseAnswering(three, user.token))
      three.answering = await nodes.start()
    }
    return [
      time('death of the node that serves it to the next word, median', median(silences), 2_000),
      time('longest', Math.max(...silences), 2_000),
      {name: 'words lost or doubled', kind: 'count', value: missing, unit: '', budget: 0},
      time('the same on the screen of a page behind a balancer, median', median(onScreen), 2_000),
      time('longest', Math.max(...onScreen), 2_000),
      time('death of the node that answers to “interrupted” at another node, median', median(deaths), 5_000),
      time('longest', Math.max(...deaths), 5_000),
    ]
  } finally {
    await nodes.close()
    balancer.close()
  }
}
