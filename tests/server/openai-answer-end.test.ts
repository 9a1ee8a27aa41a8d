import {once} from 'node:events'
import {createServer, type ServerResponse} from 'node:http'
import {expect, test, vi} from 'vitest'
import {runAnswer} from '#server/ai/answers/run-answer.ts'
import {silentLog} from '#server/log.ts'
import {createOpenaiProvider} from '#server/providers/openai/openai-provider.ts'
import {realOutboundPorts} from '#server/providers/outbound.ts'
import type {ChatInput} from '#server/providers/provider.ts'
import {manualTimers} from './providers.fixtures.ts'
import {eventually} from '../eventually.ts'
import {listenHere} from './listen-here.ts'

/*
 * How an answer of the openai adapter ends when its connection does not end as it should: real sockets, no real time.
 */

const finishPatience = 3_000

const chunk = (content: string, finishReason: string | null = null) =>
  `data: ${JSON.stringify({choices: [{index: 0, delta: {content}, finish_reason: finishReason}]})}\n\n`
const usage = `data: ${JSON.stringify({choices: [], usage: {prompt_tokens: 3, completion_tokens: 4}})}\n\n`

/** An answer that the test writes piece by piece. `delivered` grows as the words come out of the run. */
async function answerOf(first: string) {
  const responses: ServerResponse[] = []
  const server = createServer((_, response) => {
    responses.push(response)
    response.writeHead(200, {'content-type': 'text/event-stream'}).write(first)
  })
  const port = await listenHere(server)

  const clock = manualTimers()
  const stop = new AbortController()
  const delivered: string[] = []
  const provider = createOpenaiProvider(
    {
      name: 'foo',
      kind: 'openai',
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: undefined,
      groups: ['chatgpt'],
      models: ['foo-model'],
      local: true,
    },
    {log: silentLog, ports: {...realOutboundPorts, timers: clock.timers}, finishPatience},
  )
  const input: ChatInput = {
    run: 'foo-run',
    model: 'foo-model',
    messages: [{role: 'user', content: 'foo'}],
    answerCap: 100,
    signal: stop.signal,
  }
  const run = runAnswer({
    provider,
    input,
    tariff: {answerCap: 100, cost: () => '0'},
    promptTokens: () => 1,
    now: () => new Date(),
    stillOurs: () => Promise.resolve(),
    deliver: (text) => delivered.push(text),
    log: silentLog,
  })
  const delivers = (text: string) => eventually(() => expect(delivered.join('')).toBe(text))
  await delivers('half')
  const response = responses[0]
  if (response === undefined) throw new Error('The server was not asked.')
  return {
    clock,
    stop,
    run,
    response,
    delivers,
    hungUp: once(response, 'close'),
    again: () => provider.chat(input, () => true),
  }
}
const isWaiting = (clock: ReturnType<typeof manualTimers>) => clock.waiting().includes(finishPatience)

const counted = {promptTokens: 3, completionTokens: 4, tokensEstimated: false}
const whole = {end: {state: 'finished'}, text: 'half whole', charge: '0', status: 200}
const interrupted = (message: string) => ({
  end: {state: 'failed', outcome: 'interrupted', error: {code: 'api_error', message}},
  text: 'half',
  promptTokens: 1,
  completionTokens: 1,
  tokensEstimated: true,
  charge: '0',
  status: 500,
})

test('a connection that breaks after the finish reason takes nothing back', async () => {
  const {run, response, delivers} = await answerOf(chunk('half'))
  response.write(chunk(' whole', 'stop'))
  await delivers('half whole')
  response.destroy()
  expect(await run).toEqual({...whole, promptTokens: 1, completionTokens: 3, tokensEstimated: true})
})

test('an answer that its longest length ends is finished, and said to be truncated', async () => {
  const {run, response, delivers} = await answerOf(chunk('half'))
  response.end(chunk(' whole', 'length') + usage)
  await delivers('half whole')
  expect(await run).toEqual({
    ...whole,
    ...counted,
    end: {state: 'finished', outcome: 'truncated'},
  })
})

test('the same break before the finish reason is contact lost', async () => {
  const {run, response} = await answerOf(chunk('half'))
  response.destroy()
  expect(await run).toEqual(interrupted('The connection to foo broke off.'))
})

test('an orderly end with neither a finish reason nor [DONE] is contact lost', async () => {
  const {clock, run, response} = await answerOf(chunk('half'))
  response.end()
  expect(await run).toEqual(interrupted('The answer of foo broke off.'))
  expect(clock.waiting()).toEqual([])
})

test('a server that stays after its finish reason is left after the bound, with the usage it sent', async () => {
  const {clock, run, response, delivers, hungUp} = await answerOf(chunk('half'))
  expect(isWaiting(clock)).toBe(false)
  response.write(chunk(' whole', 'stop') + usage)
  await delivers('half whole')
  await eventually(() => expect(isWaiting(clock)).toBe(true))
  clock.fire(finishPatience)
  expect(await run).toEqual({...whole, ...counted})
  await hungUp
  expect(clock.waiting()).toEqual([])
})

test('words after the finish reason begin the wait anew, signs of life do not', async () => {
  const {clock, run, response, delivers} = await answerOf(chunk('half', 'stop'))
  await eventually(() => expect(isWaiting(clock)).toBe(true))
  const begun = vi.spyOn(clock.timers, 'after')
  const waits = () => begun.mock.calls.filter(([milliseconds]) => milliseconds === finishPatience).length
  response.write(`: keep-alive\n\n${usage}${chunk('', 'stop')}${chunk(' whole', 'stop')}: keep-alive\n\n`)
  await delivers('half whole')
  await eventually(() => expect(waits()).toBe(1))
  expect(clock.waiting().filter((milliseconds) => milliseconds === finishPatience)).toHaveLength(1)
  response.end('data: [DONE]\n\n')
  expect(await run).toEqual({...whole, ...counted})
  expect(waits()).toBe(1)
  expect(clock.waiting()).toEqual([])
})

test('a stop while usage is waited for is a stop, in the run and in the adapter', async () => {
  const {clock, stop, run, again, hungUp} = await answerOf(chunk('half', 'stop'))
  const end = again()
  await eventually(() => expect(clock.waiting().filter((wait) => wait === finishPatience)).toHaveLength(2))
  stop.abort('stop')
  await expect(end).rejects.toHaveProperty('code', 'canceled')
  expect(await run).toEqual({
    end: {state: 'failed', outcome: 'stopped', error: {code: 'canceled', message: 'The answer was stopped.'}},
    text: 'half',
    promptTokens: 1,
    completionTokens: 1,
    tokensEstimated: true,
    charge: '0',
    status: 200,
  })
  await hungUp
  await eventually(() => expect(clock.waiting()).toEqual([]))
})
