import {expect, test} from 'vitest'
import {payPageAddress} from '#domain/pay-page.ts'

const base = 'https://foo.test/console/orders/bar'

test.each([
  ['https://pay.test/c?x=1', 'https://pay.test/c?x=1'],
  ['http://127.0.0.1:4000/pay', 'http://127.0.0.1:4000/pay'],
  ['/pay/baz', 'https://foo.test/pay/baz'],
])('%s is a page a tab can show', (url, address) => expect(payPageAddress(url, base)).toBe(address))

test.each([
  undefined,
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,foo',
  'blob:https://foo.test/baz',
  'weixin://wxpay/bizpayurl?pr=foo',
  'https://',
])('%s is none', (url) => expect(payPageAddress(url, base)).toBeUndefined())
