import {expect, test} from 'vitest'
import {orderCreate} from '#contract/orders-requests.ts'
import {isOfKind, kindBody, kindFor, kindQuery, orderBody} from '#domain/order-request.ts'

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
