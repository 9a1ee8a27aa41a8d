import {once} from 'node:events'
import {request} from 'node:http'
import {connect, createServer} from 'node:net'
import {median} from './figures.mjs'
import {questions} from './model-server.mjs'
import {createNodes} from './nodes.mjs'

const rounds = 5
/** The answers go on for longer than anybody follows them. */
const question = questions.stamps(3_000, 20)

/**
 * What balancers do: a connection goes to the first node that takes it, and ends when its node does.
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
 * Follows an answer at a node until the connection ends. `heard` is called with each frame and the number of its delta.
 * @param {import('./nodes.mjs').Node} node @param {string} token @param {object} body
 * @param {(frame: Record<string, any>, seq: number) => void} heard
 */
const follow = ({chatUrl}, token, body, heard) =>
  new Promise((resolve, reject) => {
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream'}
    const call = request(chatUrl, {method: 'POST', agent: false, headers}, (response) => {
      if (response.statusCode !== 200) reject(new Error(`Answered with ${response.statusCode}`))
      let rest = ''
      let seq = 0
      response.setEncoding('utf8')
      // a connection that breaks is what is waited for
      response.on('error', () => undefined)
      response.on('close', resolve)
      response.on('data', (/** @type {string} */ part) => {
        const lines = `${rest}${part}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (line.startsWith('id: ')) seq = Number(line.slice('id: '.length))
          else if (line.startsWith('data: {')) heard(JSON.parse(line.slice('data: '.length)), seq)
        }
      })
    })
    call.on('error', reject)
    call.end(JSON.stringify(body))
  })

/** Asks at a node; resolves once the answer has its first word. @param {import('./nodes.mjs').Node} node @param {string} token */
const ask = (node, token) =>
  new Promise((resolve, reject) => {
    /** @type {{id: string, message: string, attempt: number} | undefined} */
    let head
    follow(node, token, {model: 'gpt-5', question, stateful: true}, ({id, message, attempt, delta_answer: word}) => {
      if (message !== undefined) head = {id, message, attempt}
      if (word) resolve(head)
    }).catch(reject)
  })

/**
 * How long a follower is without words when the node that serves it dies, and how long until it hears that the node which
 * answers is dead. Three nodes on one PostgreSQL, two of them ended by SIGKILL.
 * @type {import('./figures.mjs').Part}
 */
export const failOver = async (bench) => {
  const balancer = await startBalancer()
  const nodes = await createNodes(bench, {PUBLIC_ORIGINS: balancer.url, REGISTRATION: 'open'})
  try {
    let answering = await nodes.start()
    let serving = await nodes.start()
    // not the one that answers, which has its words in memory
    const other = await nodes.start()
    balancer.lead(serving.port, other.port)
    const user = await bench.userAt(balancer.url)
    const {token} = user
    /** @type {{silences: number[], onScreen: number[], deaths: number[]}} */
    const {silences, onScreen, deaths} = {silences: [], onScreen: [], deaths: []}
    let missing = 0

    /** Follows an answer at `serving`, ends it, and goes on at `other` at once. */
    const loseServing = async () => {
      const head = await ask(answering, token)
      /** @type {number[]} */
      const seqs = []
      let killedAt = Infinity
      /** @type {number | undefined} */
      let silence
      /** @type {() => void} */
      let reached = () => undefined
      const heard = (/** @type {Record<string, any>} */ {delta_answer: word}, /** @type {number} */ seq) => {
        if (!word) return
        seqs.push(seq)
        if (Number(word.trim()) > killedAt) silence ??= Date.now() - killedAt
        if (killedAt === Infinity ? seqs.length > 20 : silence !== undefined) reached()
      }
      const wait = () => new Promise((resolve) => (reached = () => resolve(undefined)))
      const enough = wait()
      const first = follow(serving, token, {action: 'resume', ...head, last_seq: 0}, heard)
      await enough
      const again = wait()
      killedAt = Date.now()
      await serving.end('kill')
      await first
      void follow(other, token, {action: 'resume', ...head, last_seq: seqs.at(-1) ?? 0}, heard)
      await again
      silences.push(silence ?? Number.NaN)
      missing += seqs.filter((seq, index) => seq !== index + 1).length
    }

    /** The same for a page of the app behind the balancer, with its own pauses. */
    const losePage = async () => {
      const {id} = await ask(answering, token)
      const context = await bench.freshContext(user)
      const page = await context.newPage()
      await page.goto(`${balancer.url}/chatgpt/conversations/${id}`)
      const shownAfter = (/** @type {number} */ time) =>
        page
          .waitForFunction((time) => {
            const text = [...document.querySelectorAll('[role=log] article')].at(-1)?.textContent ?? ''
            const newest = Math.max(0, ...(text.slice(-500).match(/\b\d{13}(?=\s|\d|$)/g) ?? []).map(Number))
            return newest > time ? Date.now() : undefined
          }, time)
          .then((handle) => handle.jsonValue())
      await shownAfter(Date.now())
      const killedAt = Date.now()
      await serving.end('kill')
      onScreen.push(Number(await shownAfter(killedAt)) - killedAt)
      await context.close()
    }

    /** Follows an answer at `other`, and ends the node that answers. */
    const loseAnswering = async () => {
      const head = await ask(answering, token)
      let killedAt = Number.NaN
      const heardOf = new Promise((resolve, reject) => {
        follow(other, token, {action: 'resume', ...head, last_seq: 0}, ({outcome, error}) => {
          if (outcome === 'interrupted') resolve(Date.now() - killedAt)
          else if (error) reject(new Error(`It ended as ${outcome}`))
        }).catch(reject)
      })
      await new Promise((resolve) => setTimeout(resolve, 500))
      killedAt = Date.now()
      await answering.end('kill')
      deaths.push(Number(await heardOf))
    }

    for (let round = 0; round < rounds; round += 1) {
      for (const lose of [loseServing, losePage]) {
        await lose()
        serving = await nodes.start()
        balancer.lead(serving.port, other.port)
      }
      await loseAnswering()
      answering = await nodes.start()
    }

    const time = (/** @type {string} */ name, /** @type {number} */ value, /** @type {number} */ budget) => ({
      name,
      kind: /** @type {const} */ ('time'),
      value,
      unit: 'ms',
      budget,
    })
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
