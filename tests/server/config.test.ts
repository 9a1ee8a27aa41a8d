import {resolve} from 'node:path'
import {describe, expect, test} from 'vitest'
import {proxyList} from '#server/config-values.ts'
import {readConfig} from '#server/read-config.ts'
import {defaultOffers, fileOf, refusal} from './config.fixtures.ts'

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
  expect(readConfig({ROLE: role, ...shared}).role).toBe(role)
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
    expect([config.port, config.mode]).toEqual([4100, 'production'])
    expect(config.providers).toEqual({
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
      sandbox: true,
      defaultPrice: {prompt: '0.01', completion: '0.03', answerCap: 4096},
      detectLocal: true,
      namesConversations: true,
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
    expect(refusal({CONFIG_FILE: resolve('none.json')})).toMatch(
      /^CONFIG_FILE \(.*none\.json\) cannot be read: there is no such file\.$/,
    )
    expect(refusal({CONFIG_FILE: resolve('.')})).toMatch(/^CONFIG_FILE \(.*\) cannot be read: it is a folder\.$/)
    expect(refusal({CONFIG_FILE: fileOf('[]')})).toMatch(/ must be an object of settings, such as \{"PORT": 4000\}\.$/)
    expect(refusal({CONFIG_FILE: fileOf('{')})).toMatch(/is not valid JSON/)
    expect(refusal({CONFIG_FILE: fileOf('{"PORT":4000 "HOST":""}')})).toMatch(/is not valid JSON at character 14\.$/)
  })

  test('a file that an editor began with a byte order mark', () => {
    expect(readConfig({CONFIG_FILE: fileOf('\uFEFF{"PORT": 4100}')}).port).toBe(4100)
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
