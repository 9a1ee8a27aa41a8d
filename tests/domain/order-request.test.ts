import {expect, test} from 'vitest'
import {orderCreate} from '#contract/orders-requests.ts'
import {needQuery} from '#domain/credits.ts'
import {isOfKind, kindBody, kindFor, kindQuery, missingFor, orderBody, readNeed} from '#domain/order-request.ts'

const serviceId = 'b1fbcc32-e218-4253-9dc3-4fe600a1bfb9'
const applicationId = '5f0f8ae1-2a4f-4d0d-8f0c-0a4f0b5d2a11'
const packageId = '7d6b3f0c-5a1e-8c3b-8a11-1f2e3d4c5b6a'

test('packages belong to the application of their type, general or of the same service', () => {
  const chat = {id: 'foo', type: 'Usage', scope: 'Individual', service_id: serviceId}
  const general = {id: 'bar', type: 'Usage', scope: 'Global', service_id: null}
  expect(kindFor(chat, 'Period')).toEqual({type: 'Period', serviceId})
  expect(kindFor(general, 'Usage')).toEqual({type: 'Usage', serviceId: undefined})
  const isFor = (application: object, type: 'Usage' | 'Period') =>
    isOfKind({...chat, service_id: undefined, ...application}, {type, serviceId})
  expect(isFor({service_id: serviceId}, 'Usage')).toBe(true)
  expect(isFor({service_id: serviceId}, 'Period')).toBe(false)
  expect(isFor({service: {id: serviceId}}, 'Usage')).toBe(true)
  expect(isFor({service_id: serviceId, type: undefined}, 'Usage')).toBe(true)
  expect(isFor({service_id: 'other'}, 'Usage')).toBe(false)
  expect(isOfKind(general, {type: 'Usage', serviceId})).toBe(false)
})

test('an application of a kind is looked for and made as the contract says', () => {
  const page = {limit: 100, offset: 0, user_id: 'u', ordering: '-created_at', type: 'Period'}
  const [own, general] = [
    {type: 'Period', serviceId},
    {type: 'Period', serviceId: undefined},
  ] as const
  expect(kindQuery(own, 'u')).toEqual({...page, service_id: [serviceId]})
  expect(kindQuery(general, 'u')).toEqual({...page, scope: 'Global'})
  expect(kindBody(own, 'u')).toEqual({service_id: serviceId, type: 'Period'})
  expect(kindBody(general, 'u')).toEqual({type: 'Period', scope: 'Global', user_id: 'u'})
  expect(kindBody(general, undefined)).toEqual({type: 'Period', scope: 'Global'})
})

test('the bodies of a top-up and of a subscription', () => {
  const order = {applicationId, description: 'Suno · 100 credits'}
  const topUp = orderBody({...order, offer: {id: packageId, type: 'Usage', amount: 100, price: 9.9}})
  expect(topUp).toEqual({
    application_id: applicationId,
    amount: 100,
    package_id: packageId,
    description: 'Suno · 100 credits',
  })
  const plan = orderBody({...order, offer: {id: packageId, type: 'Period', amount: 120, duration: 604_800}})
  expect(plan).toEqual({
    application_ids: [applicationId],
    package_ids: [packageId],
    description: 'Suno · 100 credits',
  })
  const long = orderBody({...order, description: `${'a'.repeat(199)}🎵`, offer: {id: packageId, type: 'Usage'}})
  expect(long).toEqual({application_id: applicationId, package_id: packageId, description: 'a'.repeat(199)})
  for (const body of [topUp, plan, long]) expect(orderCreate.safeParse(body).success).toBe(true)
})

test('what a refused request needs goes through the address; anything else is ignored', () => {
  expect(needQuery({})).toBe('')
  expect(needQuery(undefined)).toBe('')
  const read = (needed: string) => readNeed(new URLSearchParams(`redirect=foo${needQuery({needed})}`).get('need'))
  for (const needed of ['3.200000', '0.000001', '12']) expect(read(needed)).toBe(needed)
  for (const needed of ['', '0', '0.000000', '-1', '1e3', '1,5', ' 1', '1.2345678', '9'.repeat(13), '1&id=2', 'foo'])
    expect(read(needed)).toBeUndefined()
  for (const other of [undefined, null, 3.2, ['1', '2']]) expect(readNeed(other)).toBeUndefined()
})

test.each([
  ['its own balance counts', 'Usage', 1.000_1, '2.199900'],
  ['nothing is missing', 'Usage', 3.2, undefined],
  ['below zero, that is missing too', 'Usage', -1, '4.200000'],
  ['there is no bound', 'Usage', null, undefined],
  ['a plan has to pay for all of it', 'Period', 1.000_1, '3.200000'],
] as const)('what is missing: %s', (_, type, balance, missing) => {
  const application = {id: 'foo', type: 'Usage', scope: 'Global', remaining_amount: balance} as const
  expect(missingFor('3.200000', application, type)).toBe(missing)
  expect(missingFor(undefined, application, type)).toBeUndefined()
})
