import {identities} from 'virtual:media-tools'
import {within} from '@testing-library/react'
import {expect, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import type {Order} from '#contract/orders.ts'
import {NextLinks} from '../../../src/app/console/order-links.tsx'
import {renderView} from '../shell/render.tsx'

const application = {id: 'foo', type: 'Usage', scope: 'Individual'}
const order: Order = {id: 'bar', state: 'Finished', application_id: 'foo', application}

/** The primary link of an order that is over. */
async function firstLink(shown: Order) {
  const {container} = await renderView(<NextLinks order={shown} errand={{}} />)
  const [link] = within(container).getAllByRole('link')
  return [link?.textContent, link?.getAttribute('href')]
}

const week = {id: 'week', type: 'Period' as const, amount: 120, price: 9.9, duration: 604_800}
test.each<[string, Order, string]>([
  ['credits', {...order, state: 'Expired', packages: [{id: 'small', type: 'Usage'}]}, 'extra'],
  ['a plan', {...order, state: 'Expired', packages: [week]}, 'subscribe'],
  [
    'a plan of another back end',
    {...order, state: 'Refunded', application: {...application, type: 'Period'}},
    'subscribe',
  ],
  ['something unknown', {id: 'bar', state: 'Expired', application_ids: ['foo']}, 'extra'],
])('an order of %s that is closed leads to another of its kind', async (_, closed, screenName) => {
  expect(await firstLink(closed)).toEqual(['Order again', `/console/applications/foo/${screenName}`])
})

test('another order is for the same request, which names its page and what it needs', async () => {
  const errand = {redirect: '/flux', need: '3.200000'}
  const {container} = await renderView(<NextLinks order={{...order, state: 'Expired'}} errand={errand} />)
  const {pathname, searchParams} = new URL(within(container).getByRole<HTMLAnchorElement>('link').href)
  expect([pathname, searchParams.get('redirect')]).toEqual(['/console/applications/foo/extra', '/flux'])
  expect(searchParams.get('need')).toContain('3.200000')
})

test.each(identities.map(({id, name, serviceId}) => [name, id, serviceId]))(
  'a paid order of %s leads there',
  async (name, id, serviceId) => {
    expect(await firstLink({...order, application: {...application, service_id: serviceId}})).toEqual([
      `Use ${name}`,
      `/${id}`,
    ])
  },
)

test('a paid order of the chat, of the general balance and of what nobody names leads to the chat', async () => {
  const general = {id: 'foo', type: 'Usage', scope: 'Global', service_id: null}
  for (const paid of [
    {...order, application: {...application, service_id: chatServiceId}},
    {...order, application: general},
    {id: 'bar', state: 'Finished' as const},
  ])
    expect((await firstLink(paid))[1]).toBe('/')
})
