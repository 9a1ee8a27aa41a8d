import {expect, test} from 'vitest'
import {createUploadsElsewhere} from '#browser/uploads-elsewhere.ts'
import {eventually} from '../eventually.ts'
import {createLocks} from './fake-locks.ts'

const running = {type: 'elsewhere.running'}
const gone = {type: 'elsewhere.gone'}
const uploaded = {type: 'elsewhere.uploaded', url: 'https://foo.example/a.pdf'}
let count = 0

/** Two tabs of one browser, and what the second one hears of an upload of the first. */
function start(give: (locks: LockManager) => LockManager | undefined = (locks) => locks) {
  count += 1
  const id = `upload-${count}`
  const locks = createLocks()
  const browser = {
    locks: give(locks),
    createChannel: (name: string) => new BroadcastChannel(name),
    sleep: () => Promise.resolve(),
  }
  const [here, there] = [createUploadsElsewhere(browser), createUploadsElsewhere(browser)]
  const facts: unknown[] = []
  const follow = () => there.elsewhere$(id).subscribe((fact) => facts.push(fact))
  const isHeld = () => locks.request(`atrium.upload.${id}`, {ifAvailable: true}, async (lock) => lock === null)
  return {begin: () => here.begin(id), follow, facts, isHeld}
}

test('an upload is on its way in another tab until it ends there, and again when it is tried again', async () => {
  const {begin, follow, facts, isHeld} = start()
  const end = begin()
  await eventually(async () => expect(await isHeld()).toBe(true))
  const following = follow()
  await eventually(() => expect(facts).toEqual([running]))
  end()
  await eventually(() => expect(facts).toEqual([running, gone]))
  const endAgain = begin()
  await eventually(() => expect(facts).toEqual([running, gone, running]))
  endAgain('https://foo.example/a.pdf')
  await eventually(() => expect(facts).toContainEqual(uploaded))
  following.unsubscribe()
  await eventually(async () => expect(await isHeld()).toBe(false))
})

test('one that no tab has is gone at once; who stops asking hears no more', async () => {
  const {begin, follow, facts, isHeld} = start()
  const following = follow()
  await eventually(() => expect(facts).toEqual([gone]))
  const end = begin()
  await eventually(() => expect(facts).toEqual([gone, running]))
  following.unsubscribe()
  end()
  await eventually(async () => expect(await isHeld()).toBe(false))
  expect(facts).toEqual([gone, running])
})

// as: this function of the LockManager is used alone
const refusing = {request: () => Promise.reject(new DOMException('foo', 'SecurityError'))} as unknown as LockManager

test.each([
  ['without locks', () => undefined],
  ['where the browser refuses locks', () => refusing],
])('%s it is gone at once, and there once it is uploaded', async (_, give) => {
  const {begin, follow, facts} = start(give)
  const end = begin()
  const following = follow()
  await eventually(() => expect(facts).toContainEqual(gone))
  end('https://foo.example/a.pdf')
  await eventually(() => expect(facts).toContainEqual(uploaded))
  expect([following.closed, facts.at(-1)]).toEqual([false, uploaded])
  following.unsubscribe()
})
