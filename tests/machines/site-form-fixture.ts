import {createActor, fromPromise, SimulatedClock, waitFor} from 'xstate'
import type {Site} from '#contract/management.ts'
import {siteFormMachine} from '#machines/site-form/site-form.machine.ts'
import type {KeptChanges} from '#machines/site-form/site-form.types.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'

export const site: Site = {id: 'foo', origin: 'https://foo.test', title: 'Foo', admins: ['u-1'], updated_at: '1'}
export const input = {origin: 'https://foo.test', userId: 'u-1', toolIds: ['chatgpt', 'suno']}
export const image: ChosenFile = {id: 'p', name: 'foo.png', type: 'image/png', size: 10}
export const refused = Object.assign(new Error('foo'), {status: 400, code: 'bad_request', detail: 'foo'})
export const stale = Object.assign(new Error('foo'), {status: 409, code: 'conflict', detail: 'foo'})

export const saved: Site = {...site, title: 'Bar', updated_at: '2'}

/** The form of an admin, read; ports answer with what the test puts in. */
export async function open(
  options: {
    kept?: KeptChanges
    read?: () => Promise<Site | undefined>
    save?: () => Promise<Site>
    upload?: () => Promise<string>
  } = {},
) {
  const sent: Site[] = []
  const shared: Site[] = []
  let stored = site
  const clock = new SimulatedClock()
  const machine = siteFormMachine.provide({
    actors: {
      readSite: fromPromise<Site | undefined, {origin: string}>(() => options.read?.() ?? Promise.resolve(stored)),
      saveSite: fromPromise<Site, {site: Site}>(async ({input: body}) => {
        sent.push(body.site)
        return (stored = await (options.save?.() ?? Promise.resolve(saved)))
      }),
      uploadImage: fromPromise<string, {file: ChosenFile}>(
        () => options.upload?.() ?? Promise.resolve('https://foo.test/p'),
      ),
    },
    actions: {shareSite: (_, {site: next}) => void shared.push(next)},
  })
  const actor = createActor(machine, {input: {...input, kept: options.kept}, clock}).start()
  await waitFor(actor, (snapshot) => !snapshot.matches('loading'))
  return {actor, sent, shared, clock}
}
