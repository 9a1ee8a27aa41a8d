import {afterEach, beforeEach, expect, test} from 'vitest'
import {createActor, waitFor} from 'xstate'
import {createSiteFormLogic} from '#app/logic/site-form.logic.ts'
import {selectIsMerged} from '#machines/site-form/site-form.selectors.ts'
import {createClients, createContractServer} from './contract.fixtures.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'

/*
 * The form of /site with the app's own clients on the whole server: one for each test, which has its first site to
 * make.
 */

let installation: Awaited<ReturnType<typeof createContractServer>>
let server: TestServer
let operator: TestUser
beforeEach(async () => {
  installation = await createContractServer()
  server = installation.server
  operator = await server.createUser()
})
afterEach(() => installation.close())

// 1 × 1, transparent
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

async function openForm({accessToken, user}: TestUser) {
  const {management, files} = createClients(server, {token: accessToken})
  const image = new File([png], 'foo.png', {type: 'image/png'})
  const logic = createSiteFormLogic(
    {management, files: () => Promise.resolve(files)},
    {site: () => undefined, fileOf: () => image},
  )
  const actor = createActor(logic, {
    input: {origin: testOrigin, userId: user.id, toolIds: ['chatgpt', 'suno']},
  }).start()
  await waitFor(actor, (snapshot) => !snapshot.matches('loading'))
  return actor
}

test('the form makes the site of a new installation; an admin edits everything, and everybody reads it', async () => {
  const member = await server.createUser()
  const form = await openForm(operator)
  form.send({
    type: 'draft.change',
    changes: {
      title: 'Foo',
      description: 'Bar',
      keywords: ['a', 'b'],
      admins: [operator.user.id, member.user.id],
      defaultInviterId: member.user.id,
      tools: ['chatgpt'],
    },
  })
  form.send({
    type: 'image.choose',
    field: 'favicon',
    file: {id: 'p', name: 'foo.png', type: 'image/png', size: png.length},
  })
  await waitFor(form, (snapshot) => snapshot.matches({open: 'editing'}))
  form.send({type: 'form.save'})
  const {context} = await waitFor(form, (snapshot) => snapshot.matches('open'))
  expect(context.failure).toBeUndefined()
  const written = {
    title: 'Foo',
    description: 'Bar',
    keywords: ['a', 'b'],
    distribution: {default_inviter_id: member.user.id},
    features: {chatgpt: {enabled: true}, suno: {enabled: false}},
    favicon: expect.stringMatching(/\/files\/.+\/foo\.png$/),
  }
  expect(context.site).toMatchObject({...written, admins: [operator.user.id, member.user.id]})
  const seen = await createClients(server, {}).management.sites.findByOrigin(testOrigin)
  expect(seen).toMatchObject(written)
  const icon = await server.call('GET', new URL(seen?.favicon ?? '').pathname, {origin: null})
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png'])
})

test('the second of two who edit at once is told and saves on the site of the first, and nobody else may', async () => {
  const [first, second] = [await openForm(operator), await openForm(operator)]
  first.send({type: 'draft.change', changes: {title: 'One', description: 'Of the first'}})
  second.send({type: 'draft.change', changes: {title: 'Two'}})
  first.send({type: 'form.save'})
  await waitFor(first, (snapshot) => snapshot.matches('open'))
  second.send({type: 'form.save'})
  const merged = await waitFor(second, (snapshot) => snapshot.matches('open'))
  expect([selectIsMerged(merged), merged.context.draft]).toMatchObject([
    true,
    {title: 'Two', description: 'Of the first'},
  ])
  second.send({type: 'form.save'})
  const done = await waitFor(second, (snapshot) => snapshot.matches('open'))
  expect([done.matches({open: {editing: 'saved'}}), done.context.site]).toMatchObject([
    true,
    {title: 'Two', description: 'Of the first'},
  ])

  const stranger = await openForm(await server.createUser())
  expect(stranger.getSnapshot().matches('readOnly')).toBe(true)
})

test('an operator edits a site that others administer; an admin who leaves it reads only', async () => {
  const admin = await server.createUser()
  const form = await openForm(operator)
  const handOver = async (admins: string[]) => {
    form.send({type: 'draft.change', changes: {admins}})
    form.send({type: 'form.save'})
    return waitFor(form, (snapshot) => !snapshot.hasTag('saving'))
  }
  const done = await handOver([admin.user.id])
  expect([done.matches({open: {editing: 'saved'}}), done.context.site?.admins]).toEqual([true, [admin.user.id]])
  const theirs = await openForm(admin)
  theirs.send({type: 'draft.change', changes: {admins: [operator.user.id]}})
  theirs.send({type: 'form.save'})
  const left = await waitFor(theirs, (snapshot) => !snapshot.hasTag('saving'))
  expect([left.matches('readOnly'), left.context.site?.editable]).toEqual([true, undefined])
})
