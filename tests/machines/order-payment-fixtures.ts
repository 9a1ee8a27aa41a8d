import type {Order} from '#contract/orders.ts'
import {startEnvironment} from './environment-fixture.ts'

export const pending: Order = {id: 'foo', state: 'Pending', price: 9.9, pay_ways: ['Sandbox', 'Stripe', 'WechatPay']}
export const open: Order = {...pending, pay_way: 'Sandbox', pay_url: 'https://foo.test/pay'}
export const declined: Order = {...pending, state: 'Failed', pay_way: 'Sandbox'}
export const processing: Order = {...pending, pay_way: 'Stripe', pay_ways: [], processing_at: '2026-11-24T10:00:00Z'}
export const paid: Order = {...pending, state: 'Paid', pay_ways: []}
export const finished: Order = {...paid, state: 'Finished'}
export const expired: Order = {...paid, state: 'Expired'}
export const foreignPending: Order = {id: 'foo', state: 'Pending', price: 9.9}
export const foreign: Order = {id: 'foo', state: 'Paid'}
export const conflict = Object.assign(new Error('foo'), {status: 409, code: 'conflict', detail: 'foo'})
export const environment = startEnvironment()
export const input = {orderId: 'foo', returnTo: '/flux', wasAwaited: false, environment}
export const orders = [pending, open, declined, processing, paid, finished, expired, foreign]
