import {expect, test} from 'vitest'
import {createUploadsElsewhere} from '#browser/uploads-elsewhere.ts'
import {eventually} from '../eventually.ts'
import {createLocks} from './fake-locks.ts'

const running = {type: 'elsewhere.running'}
const gone = {type: 'elsewhere.gone'}
const uploaded = {type: 'elsewhere.uploaded', url: 'https://foo.example/a.pdf'}
let count = 0

/** Two tabs of one browser, and what the second one hears of an upload of the first. */
function start({hasLocks = true} = {}) {
  count += 1
  const id = `upload-${count}`
  const locks = createLocks()
  const browser = {
    locks: hasLocks ? locks : undefined,
    createChannel: (name: string) => new BroadcastChannel(name),
    sleep: () => Promise.resolve(),
  }
  const [here, there] = [createUploadsElsewhere(browser), createUploadsElsewhere(browser)]
  const facts: unknown[] = []
  const follow = () => there.elsewhere$(id).subscribe((fact) => facts.push(fact))
  const isHeld = () => locks.request(`atrium.upload.${id}`, {ifAvailable: true}, async (lock) => lock === null)
  return {hold: () => here.hold(id), follow, facts, isHeld}
}

test('an upload is on its way in another tab until it ends there, and again when it is tried again', async () => {
  const {hold, follow, facts, isHeld} = start()
  const end = hold()
  await eventually(async () => expect(await isHeld()).toBe(true))
  const following = follow()
  await eventually(() => expect(facts).toEqual([running]))
  end()
  await eventually(() => expect(facts).toEqual([running, gone]))
  const endAgain = hold()
  await eventually(() => expect(facts).toEqual([running, gone, running]))
  endAgain('https://foo.example/a.pdf')
  await eventually(() => expect(facts).toContainEqual(uploaded))
  following.unsubscribe()
  await eventually(async () => expect(await isHeld()).toBe(false))
})

test('one that no tab has is gone at once; who stops asking hears no more', async () => {
  const {hold, follow, facts, isHeld} = start()
  const following = follow()
  await eventually(() => expect(facts).toEqual([gone]))
  const end = hold()
  await eventually(() => expect(facts).toEqual([gone, running]))
  following.unsubscribe()
  end()
  await eventually(async () => expect(await isHeld()).toBe(false))
  expect(facts).toEqual([gone, running])
})

test('without locks it is gone at once, and there once it is uploaded', async () => {
  const {hold, follow, facts} = start({hasLocks: false})
  const end = hold()
  const following = follow()
  await eventually(() => expect(facts).toEqual([gone]))
  end('https://foo.example/a.pdf')
  await eventually(() => expect(facts).toEqual([gone, uploaded]))
  following.unsubscribe()
})
