import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {buyingTime} from '#domain/conversation.ts'
import {proxyList} from '#server/config-values.ts'
import {createPackageCatalogue} from '#server/orders/package-catalogue.ts'
import {readConfig} from '#server/read-config.ts'
import {StartFailure} from '#server/start-failure.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-config-'))
afterAll(() => rmSync(folder, {recursive: true}))

const fileOf = (value: unknown): string => {
  const path = join(folder, `${Math.abs(JSON.stringify(value).length)}-${Object.keys(value as object).join('-')}.json`)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

/** The sentence with which the start is refused. */
const refusal = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(StartFailure)
    return (error as StartFailure).message
  }
  throw new Error('The start was not refused')
}

const defaultOffers = [
  {type: 'Usage', amount: 100, price: 990, duration: undefined, recommended: false},
  {type: 'Usage', amount: 500, price: 4500, duration: undefined, recommended: false},
  {type: 'Usage', amount: 2000, price: 16_000, duration: undefined, recommended: false},
  {type: 'Period', amount: 120, price: 990, duration: 604_800, recommended: false},
  {type: 'Period', amount: 600, price: 3900, duration: 2_592_000, recommended: false},
  {type: 'Period', amount: 8000, price: 39_000, duration: 31_536_000, recommended: true},
]

test('without any setting the defaults hold', () => {
  expect(readConfig({})).toEqual({
    port: 4000,
    host: '127.0.0.1',
    publicOrigins: [],
    serviceOrigins: {auth: undefined, platform: undefined, api: undefined},
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    requestDatabaseUrl: undefined,
    drainSeconds: 4,
    role: 'all',
    mode: 'production',
    loginFlow: 'redirect',
    secret: undefined,
    registration: 'open',
    trustedProxies: [],
    fileQuotaBytes: 1_073_741_824,
    files: {
      bucket: undefined,
      former: undefined,
      region: 'us-east-1',
      endpoint: undefined,
      credentials: undefined,
      delivery: 'server',
      linkSeconds: 900,
    },
    freeCredits: '10',
    distributionLevels: [
      {threshold: '0', percentage: 10},
      {threshold: '500', percentage: 12},
      {threshold: '2000', percentage: 15},
    ],
    limitFactor: 1,
    exchangeRatesFile: undefined,
    callbackOrigins: [],
    providers: {
      sandbox: true,
      providers: [],
      prices: {},
      defaultPrice: {prompt: '0.01', completion: '0.03', answerCap: 4096},
      detectLocal: true,
      namesConversations: true,
    },
    payments: {
      packages: {general: defaultOffers, service: defaultOffers, services: {}},
      orderMinutes: 60,
      sandbox: true,
      stripe: undefined,
    },
  })
})

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
  ])('%o is refused by its place', (packages, place) => {
    expect(() => withPackages(packages)).toThrow(place)
  })

  test('a service that does not exist is refused by its name', () => {
    const {packages} = withPackages({services: {foo: {}}}).payments
    expect(() => createPackageCatalogue(packages, [])).toThrow('packages.services.foo: there is no such service')
  })
})

describe('a wrong value stops the start with a sentence that names the variable', () => {
  test.each([
    [{PORT: 'abc'}, 'PORT must be a whole number from 1 to 65535, not "abc".'],
    [{PORT: '70000'}, 'PORT must be a whole number from 1 to 65535, not "70000".'],
    [{ROLE: 'boss'}, 'ROLE must be one of all, api, worker, not "boss".'],
    [{DRAIN_SECONDS: '1.5'}, 'DRAIN_SECONDS must be a whole number from 0 to 600, not "1.5".'],
    [
      {DATABASE_DIRECT_URL: 'postgresql://foo@bar/baz'},
      'DATABASE_DIRECT_URL goes past the pooler that DATABASE_URL names: set both, or neither.',
    ],
    [
      {ROLE: 'api'},
      'ROLE=api needs DATABASE_URL: the embedded database belongs to one process, so no other could run the answers that this one takes.',
    ],
    [
      {ROLE: 'worker'},
      'ROLE=worker needs DATABASE_URL: the embedded database belongs to one process, so no other could take the questions that this one runs.',
    ],
    [
      {DATABASE_URL: 'postgresql://foo@bar/baz'},
      'DATABASE_URL needs SECRET, the same on all nodes. A server that ran without it has its own in DATA_DIR/secret; else make one with: openssl rand -base64 32',
    ],
    [{MODE: 'Test'}, 'MODE must be one of production, test, development, not "Test".'],
    [{LOGIN_FLOW: 'both'}, 'LOGIN_FLOW must be one of redirect, popup, not "both".'],
    [{FILE_QUOTA: '-1'}, 'FILE_QUOTA must be a whole number of at least 0, not "-1".'],
    [
      {FREE_CREDITS: '1.2345678'},
      'FREE_CREDITS must be a number of at least 0 with at most six decimals, not "1.2345678".',
    ],
    ...['10:5', '0:10,100:15,50:20', '0:101', '0:ten', '0'].map((levels): [Record<string, string>, string] => [
      {DISTRIBUTION_LEVELS: levels},
      `DISTRIBUTION_LEVELS must be levels such as 0:10,500:12,2000:15: sums in US dollars from 0 upwards, each with a percentage, not "${levels}".`,
    ]),
    [{FREE_CREDITS: '-1'}, 'FREE_CREDITS must be a number of at least 0 with at most six decimals, not "-1".'],
    [{PORT: ' '}, 'PORT holds nothing but spaces and commas: give it a value, or leave it out.'],
    [{OPENAI_MODELS: ' , '}, 'OPENAI_MODELS holds nothing but spaces and commas: give it a value, or leave it out.'],
    [{HOST: '999.1.1.1'}, 'HOST must be a name or an address of this machine, not "999.1.1.1".'],
    [{LIMIT_FACTOR: '0'}, 'LIMIT_FACTOR must be a number above 0, not "0".'],
    [{DETECT_LOCAL: 'maybe'}, 'DETECT_LOCAL must be true or false, not "maybe".'],
    [
      {TRUSTED_PROXIES: '10.0.0.0/40'},
      'TRUSTED_PROXIES must be addresses or networks, such as 10.0.0.1 or 10.0.0.0/8, not "10.0.0.0/40".',
    ],
    [
      {OPENAI_API_KEY: 'ключ'},
      'OPENAI_API_KEY has a space or a character that is not ASCII: copy the key again, without quotes or line breaks.',
    ],
    [
      {OPENAI_BASE_URL: 'localhost'},
      'OPENAI_BASE_URL must be an http address, such as http://127.0.0.1:8000/v1, not "localhost".',
    ],
    [{XAI_MODELS: 'grok-4'}, 'XAI_MODELS needs XAI_API_KEY or XAI_BASE_URL beside it.'],
    [{ACEDATA_BASE_URL: 'http://foo'}, 'ACEDATA_BASE_URL needs ACEDATA_API_KEY beside it.'],
  ])('%o', (environment, sentence) => expect(refusal(environment)).toBe(sentence))

  test.each([
    'ai.example.org',
    'https://ai.example.org/app',
    'ftp://ai.example.org',
    'https://user@ai.example.org',
    '*',
  ])('PUBLIC_ORIGINS %s', (origin) =>
    expect(refusal({PUBLIC_ORIGINS: origin})).toMatch(/^PUBLIC_ORIGINS must be an origin/),
  )

  test.each(['0.0.0.0', '::', '192.168.1.5', 'nas.lan'])('HOST %s without PUBLIC_ORIGINS', (host) =>
    expect(refusal({HOST: host})).toMatch(/^HOST is .* PUBLIC_ORIGINS/),
  )

  test('an own origin of a service that is taken', () => {
    expect(refusal({AUTH_ORIGIN: 'http://localhost:4000'})).toBe(
      "AUTH_ORIGIN must be an origin of its own: http://localhost:4000 is the page's.",
    )
    expect(refusal({AUTH_ORIGIN: 'http://localhost:4001', API_ORIGIN: 'http://localhost:4001'})).toMatch(
      /^API_ORIGIN must be an origin of its own/,
    )
  })

  test('secrets are not repeated', () => {
    expect(refusal({SECRET: 'too-short-secret'})).not.toContain('too-short-secret')
    expect(refusal({DATABASE_URL: 'mysql://foo:hidden@bar/baz'})).toMatch(/^DATABASE_URL(?!.*hidden)/)
  })
})

test.each(['api', 'worker'] as const)('the role %s starts with a database of its own', (role) => {
  const shared = {DATABASE_URL: 'postgresql://db.lan/atrium', SECRET: 'x'.repeat(32)}
  expect(readConfig({ROLE: role, ...shared})).toMatchObject({role})
})

test('origins lose their slash, several are separated by commas', () => {
  const config = readConfig({HOST: '0.0.0.0', PUBLIC_ORIGINS: 'https://ai.example.org/, http://nas.lan:4000'})
  expect(config.publicOrigins).toEqual(['https://ai.example.org', 'http://nas.lan:4000'])
})

test('a key means the maker, an address a server of that group; loopback is local', () => {
  const {providers} = readConfig({
    OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1/',
    OPENAI_MODELS: 'foo, bar',
    XAI_API_KEY: 'key',
    ACEDATA_API_KEY: 'key',
  }).providers
  expect(providers).toEqual([
    {
      name: 'openai',
      kind: 'openai',
      baseUrl: 'http://127.0.0.1:8000/v1',
      apiKey: undefined,
      groups: ['chatgpt'],
      models: ['foo', 'bar'],
      local: true,
    },
    {
      name: 'xai',
      kind: 'openai',
      baseUrl: 'https://api.x.ai/v1',
      apiKey: 'key',
      groups: ['grok'],
      models: [],
      local: false,
    },
    {
      name: 'acedata',
      kind: 'acedata',
      baseUrl: 'https://api.acedata.cloud',
      apiKey: 'key',
      groups: ['chatgpt', 'deepseek', 'grok'],
      models: [],
      local: false,
    },
  ])
})

describe('CONFIG_FILE', () => {
  test('holds the same keys, providers and prices; the environment wins', () => {
    const path = fileOf({
      PORT: 4100,
      MODE: 'test',
      providers: [
        {name: 'workshop', baseUrl: 'http://10.0.0.5:8000/v1', groups: ['chatgpt'], models: ['qwen'], local: true},
      ],
      prices: {'gpt-5-all': {prompt: '0.5', completion: '1.5', answerCap: 100}},
    })
    const config = readConfig({CONFIG_FILE: path, MODE: 'production'})
    expect(config).toMatchObject({port: 4100, mode: 'production'})
    expect(config.providers).toMatchObject({
      providers: [
        {
          name: 'workshop',
          kind: 'openai',
          baseUrl: 'http://10.0.0.5:8000/v1',
          groups: ['chatgpt'],
          models: ['qwen'],
          local: true,
        },
      ],
      prices: {'gpt-5-all': {prompt: '0.5', completion: '1.5', answerCap: 100}},
    })
  })

  test.each([
    [{PROT: 1}, /: PROT is not a setting/],
    [{providers: [{name: 'foo', baseUrl: 'http://bar', key: 'x'}]}, /: providers\.0\.key is not a setting/],
    [{prices: {foo: {prompt: 'free', completion: '0', answerCap: 1}}}, /: prices\.foo\.prompt has a wrong value/],
    [
      {
        providers: [
          {name: 'twin', baseUrl: 'http://bar'},
          {name: 'twin', baseUrl: 'http://baz'},
        ],
      },
      /two providers are named twin/,
    ],
    [{providers: [{name: 'foo', baseUrl: 'bar'}]}, /^CONFIG_FILE providers\.0\.baseUrl must be an http address/],
  ])('%o', (value, sentence) => expect(refusal({CONFIG_FILE: fileOf(value)})).toMatch(sentence))

  test('a missing and a broken file', () => {
    expect(refusal({CONFIG_FILE: join(folder, 'none.json')})).toMatch(/^CONFIG_FILE \(.*none\.json\) cannot be read/)
    expect(refusal({CONFIG_FILE: fileOf('{')})).toMatch(/is not valid JSON/)
    expect(refusal({CONFIG_FILE: fileOf('{"PORT":4000 "HOST":""}')})).toMatch(/is not valid JSON at character 14\.$/)
  })

  test('what a broken file holds is not repeated (security R26)', () => {
    for (const text of ['{"OPENAI_API_KEY":sk-CANARY}', 'sk-CANARY', '{"XAI_API_KEY":"sk-CANARY'])
      expect(refusal({CONFIG_FILE: fileOf(text)})).not.toContain('CANARY')
  })
})

test('trusted proxies are addresses and networks of both families', () => {
  const proxies = proxyList(['10.0.0.0/8', '::1', '192.168.1.5'])
  expect(proxies.check('10.9.8.7')).toBe(true)
  expect(proxies.check('::1', 'ipv6')).toBe(true)
  expect(proxies.check('192.168.1.6')).toBe(false)
})

test.each([
  [{}, 'open'],
  [{PUBLIC_ORIGINS: 'http://localhost:8080'}, 'open'],
  [{PUBLIC_ORIGINS: 'http://nas.lan:4000'}, 'closed'],
  [{HOST: '0.0.0.0', PUBLIC_ORIGINS: 'http://localhost:4000'}, 'closed'],
  [{PUBLIC_ORIGINS: 'http://nas.lan:4000', REGISTRATION: 'open'}, 'open'],
  [{REGISTRATION: 'closed'}, 'closed'],
])('%j: registration is %s', (environment, expected) => {
  expect(readConfig(environment).registration).toBe(expected)
})

describe('where files are kept', () => {
  const region = {AWS_REGION: 'eu-central-1'}
  const endpoint = {AWS_ENDPOINT_URL_S3: 'http://10.0.0.7:9000/'}
  test.each([
    [
      {FILES_URL: 's3://foo', ...region},
      {name: 's3://foo', bucket: 'foo', prefix: '', isPathStyle: false},
    ],
    [
      {FILES_URL: 's3://foo/a/b/', ...region},
      {name: 's3://foo/a/b', prefix: 'a/b/', isPathStyle: false},
    ],
    [
      {FILES_URL: 's3://foo/a', ...endpoint},
      {name: 's3://foo/a', isPathStyle: true},
    ],
    [
      {FILES_URL: 's3://foo/a?path-style=false', ...endpoint},
      {name: 's3://foo/a', isPathStyle: false},
    ],
    [
      {FILES_URL: 's3://foo/a?path-style=true', ...region},
      {name: 's3://foo/a', isPathStyle: true},
    ],
  ])('%o', (environment, bucket) => {
    expect(readConfig(environment as Record<string, string>).files.bucket).toMatchObject(bucket)
  })

  test('the names of the official tools are understood, the more exact one first', () => {
    const {files} = readConfig({
      FILES_FORMER_URL: 's3://foo',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: 'http://other.lan',
      ...endpoint,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'word',
    })
    expect(files).toMatchObject({
      bucket: undefined,
      former: {name: 's3://foo'},
      region: 'eu-west-1',
      endpoint: 'http://10.0.0.7:9000',
      credentials: {accessKeyId: 'key', secretAccessKey: 'word', sessionToken: undefined},
    })
  })

  test.each([
    [{FILES_URL: 'https://foo/bar', ...region}, /^FILES_URL must be s3:/],
    [{FILES_URL: 's3://Foo', ...region}, /^FILES_URL must be s3:/],
    [{FILES_URL: 's3://foo?region=x', ...region}, /^FILES_URL must be s3:/],
    [{FILES_URL: 's3://foo//a//b', ...region}, /^FILES_URL must be s3:/],
    [{FILES_URL: 's3://foo'}, /^FILES_URL needs AWS_REGION/],
    [{FILES_URL: 's3://foo', FILES_FORMER_URL: 's3://foo', ...region}, /^FILES_FORMER_URL is the same/],
    [{AWS_ACCESS_KEY_ID: 'key'}, /belong together/],
    [{FILES_LINK_SECONDS: '5'}, /^FILES_LINK_SECONDS/],
    [
      {FILES_URL: 's3://foo', FILES_DELIVERY: 'redirect', PUBLIC_ORIGINS: 'https://ai.example.org', ...endpoint},
      /which browsers refuse/,
    ],
  ])('%o is refused', (environment, sentence) => {
    expect(refusal(environment as Record<string, string>)).toMatch(sentence)
  })

  test('a key that stands in the address is not repeated', () => {
    expect(refusal({FILES_URL: 's3://key:word@foo', ...region})).not.toContain('word')
  })
})
