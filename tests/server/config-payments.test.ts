import {describe, expect, test} from 'vitest'
import {buyingTime} from '#domain/conversation.ts'
import {createPackageCatalogue} from '#server/orders/package-catalogue.ts'
import {readConfig} from '#server/read-config.ts'
import {defaultOffers, fileOf, refusal} from './config.fixtures.ts'

describe('payments', () => {
  const key = 'sk_test_canary4711'

  test('are simulated until Stripe is configured or a provider costs money; a setting overrides', () => {
    const isSimulated = (environment: Record<string, string>) => readConfig(environment).payments.sandbox
    expect(isSimulated({OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1'})).toBe(true)
    expect(isSimulated({OPENAI_API_KEY: 'foo'})).toBe(false)
    expect(isSimulated({STRIPE_SECRET_KEY: key})).toBe(false)
    expect(isSimulated({OPENAI_API_KEY: 'foo', STRIPE_SECRET_KEY: key, SANDBOX_PAYMENTS: 'true'})).toBe(true)
    expect(isSimulated({SANDBOX_PAYMENTS: 'false'})).toBe(false)
  })

  test('a request refused for want of credits waits longer than any order for them can be paid', () => {
    const longest = '1440'
    expect(readConfig({ORDER_MINUTES: longest}).payments.orderMinutes * 60).toBeLessThanOrEqual(buyingTime - 2 * 3_600)
    expect(refusal({ORDER_MINUTES: String(Number(longest) + 1)})).toContain('ORDER_MINUTES')
  })

  test('Stripe has its own address unless another is named', () => {
    expect(readConfig({STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: 'whsec_canary4711'}).payments.stripe).toEqual({
      secretKey: key,
      webhookSecret: 'whsec_canary4711',
      baseUrl: 'https://api.stripe.com',
    })
  })

  test.each([
    [{STRIPE_SECRET_KEY: 'canary-foo'}, 'STRIPE_SECRET_KEY must be a secret or restricted key'],
    [{STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: 'canary-foo'}, 'STRIPE_WEBHOOK_SECRET must be the signing secret'],
    [{STRIPE_WEBHOOK_SECRET: 'whsec_canary4711'}, 'STRIPE_WEBHOOK_SECRET needs STRIPE_SECRET_KEY beside it.'],
    [{STRIPE_BASE_URL: 'http://127.0.0.1:1'}, 'STRIPE_BASE_URL needs STRIPE_SECRET_KEY beside it.'],
    [{ORDER_MINUTES: '0'}, 'ORDER_MINUTES must be a whole number from 1 to 1440, not "0".'],
  ])('%o stops the start without repeating a secret', (environment, sentence) => {
    const message = refusal(environment)
    expect(message).toContain(sentence)
    expect(message).not.toContain('canary')
  })

  const withPackages = (packages: unknown) => readConfig({CONFIG_FILE: fileOf({packages})})

  test('packages of the file replace the defaults list by list, in cents and by size', () => {
    const {general, service, services} = withPackages({
      general: {
        credits: [
          {amount: 20, price: '3.5'},
          {amount: 10, price: '2'},
        ],
      },
      services: {kling: {periods: {week: {amount: 5, price: '0.99', recommended: true}}}},
    }).payments.packages
    const usage = {type: 'Usage', duration: undefined, recommended: false}
    expect(general).toEqual([
      {...usage, amount: 10, price: 200},
      {...usage, amount: 20, price: 350},
    ])
    expect(service).toEqual(defaultOffers)
    expect(services).toEqual({kling: [{type: 'Period', amount: 5, price: 99, duration: 604_800, recommended: true}]})
  })

  test.each([
    [{general: {credits: [{amount: 10, price: 2}]}}, 'packages.general.credits.0.price'],
    [{general: {credits: [{amount: 10, price: '2.999'}]}}, 'packages.general.credits.0.price'],
    [{general: {credits: [{amount: 1.5, price: '2'}]}}, 'packages.general.credits.0.amount'],
    [{general: {periods: {day: {amount: 1, price: '2'}}}}, 'packages.general.periods.day'],
  ])('%o is refused by its path', (packages, path) => {
    expect(() => withPackages(packages)).toThrow(path)
  })

  test('a service that does not exist is refused by its name', () => {
    const {packages} = withPackages({services: {foo: {}}}).payments
    expect(() => createPackageCatalogue(packages, [])).toThrow('packages.services.foo: there is no such service')
  })
})
