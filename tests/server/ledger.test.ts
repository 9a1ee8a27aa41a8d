import {eq} from 'drizzle-orm'
import {randomUUID} from 'node:crypto'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {HttpFailure} from '#server/http/failure.ts'
import {grantCredits, holdCredits, refundCredits, settleCredits} from '#server/ledger/ledger.ts'
import {ledgerEntries} from '#server/store/schema/credits.ts'
import {applications} from '#server/store/schema/platform.ts'
import {createTestServer, type TestServer} from './harness.ts'
let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** A user with one general application and what stands in it. */
async function createAccount(credits: string) {
  const {user} = await server.createUser()
  const {database} = server.deps
  const [row] = await database.asUser(user.id, (transaction) =>
    transaction.insert(applications).values({userId: user.id, scope: 'Global'}).returning(),
  )
  const entry = {applicationId: row!.id, userId: user.id}
  const run = <T>(work: Parameters<typeof database.asUser<T>>[1]) => database.asUser(user.id, work)
  await run((transaction) => grantCredits(transaction, {...entry, amount: credits, reference: `grant:${row!.id}`}))
  return {
    entry,
    run,
    hold: (amount: string, reference: string) =>
      run((transaction) => holdCredits(transaction, {...entry, amount, reference})),
    settle: (amount: string, reference: string) =>
      run((transaction) => settleCredits(transaction, {amount, reference})),
    refund: (reference: string) => run((transaction) => refundCredits(transaction, reference)),
    balance: async () => {
      const [found] = await run((transaction) =>
        transaction.select().from(applications).where(eq(applications.id, row!.id)),
      )
      return {remaining: found!.remainingAmount, used: found!.usedAmount}
    },
    entries: () =>
      run((transaction) => transaction.select().from(ledgerEntries).where(eq(ledgerEntries.applicationId, row!.id))),
  }
}

/** Credits as millionths, exactly. */
const micro = (amount: string): bigint => {
  const [whole = '0', decimals = ''] = amount.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
}
const credits = (millionths: bigint): string =>
  `${millionths / 1_000_000n}.${(millionths % 1_000_000n).toString().padStart(6, '0')}`
const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

/** Same numbers for the same seed: a failing sequence can be run again. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state % below
  }
}

async function expectConsistent(account: Awaited<ReturnType<typeof createAccount>>) {
  const entries = await account.entries()
  const of = (kind: string) => sum(entries.filter((entry) => entry.kind === kind).map((entry) => micro(entry.amount)))
  const {remaining, used} = await account.balance()
  expect({remaining: micro(remaining), used: micro(used)}).toEqual({
    remaining: of('grant') - of('hold') + of('refund'),
    used: of('settle'),
  })
  expect(micro(remaining) >= 0n).toBe(true)
  for (const hold of entries.filter((entry) => entry.kind === 'hold')) {
    const closing = entries.filter((entry) => entry.reference === hold.reference && entry.kind !== 'hold')
    const closed = sum(closing.map((entry) => micro(entry.amount)))
    expect(closing.length === 0 || closed === micro(hold.amount)).toBe(true)
  }
}

describe('one reference', () => {
  test('hold sets aside, settle charges and gives the rest back', async () => {
    const account = await createAccount('1')
    await account.hold('0.4', 'answer:a')
    expect(await account.balance()).toEqual({remaining: '0.600000', used: '0.000000'})
    expect(await account.settle('0.150001', 'answer:a')).toBe('0.150001')
    expect(await account.balance()).toEqual({remaining: '0.849999', used: '0.150001'})
    await expectConsistent(account)
  })

  test('settle never charges more than was held', async () => {
    const account = await createAccount('1')
    await account.hold('0.4', 'answer:b')
    expect(await account.settle('7', 'answer:b')).toBe('0.400000')
    expect(await account.balance()).toEqual({remaining: '0.600000', used: '0.400000'})
  })

  test('refund gives all back; what comes after a close changes nothing', async () => {
    const account = await createAccount('1')
    await account.hold('0.4', 'answer:c')
    await account.refund('answer:c')
    await account.refund('answer:c')
    expect(await account.settle('0.4', 'answer:c')).toBe('0')
    await account.hold('0.4', 'answer:c')
    expect(await account.balance()).toEqual({remaining: '1.000000', used: '0.000000'})

    await account.hold('0.3', 'answer:d')
    await account.settle('0.1', 'answer:d')
    await account.refund('answer:d')
    expect(await account.settle('0.3', 'answer:d')).toBe('0.100000')
    expect(await account.balance()).toEqual({remaining: '0.900000', used: '0.100000'})
    await expectConsistent(account)
  })

  test('a hold beyond the balance is refused as used_up and books nothing', async () => {
    const account = await createAccount('0.1')
    await expect(account.hold('0.100001', 'answer:e')).rejects.toEqual(
      new HttpFailure(403, 'used_up', 'creditsUsedUp', {
        applicationId: expect.any(String),
        credits: {needed: '0.100001', available: '0.100000'},
      }),
    )
    await account.hold('0.1', 'answer:f')
    await expect(account.hold('0.000001', 'answer:g')).rejects.toHaveProperty('code', 'used_up')
    expect((await account.entries()).map((entry) => entry.kind).sort()).toEqual(['grant', 'hold'])
  })

  test('what costs nothing holds nothing, also with an empty balance', async () => {
    const account = await createAccount('0')
    await account.hold('0', 'answer:h')
    expect(await account.settle('0', 'answer:h')).toBe('0')
    await account.refund('answer:h')
    expect(await account.entries()).toEqual([])
  })

  test('foreign and missing applications are the same 404', async () => {
    const owner = await createAccount('1')
    const other = await createAccount('1')
    const hold = (applicationId: string) =>
      other.run((transaction) =>
        holdCredits(transaction, {...other.entry, applicationId, amount: '0.1', reference: randomUUID()}),
      )
    const foreign = await hold(owner.entry.applicationId).catch((error: unknown) => error)
    const missing = await hold(randomUUID()).catch((error: unknown) => error)
    expect(foreign).toEqual(new HttpFailure(404, 'not_found', 'notFound'))
    expect(foreign).toEqual(missing)
  })

  test.each(['-1', '1e3', '0.0000001', '', 'NaN', '1,5', '123456789012345'])('%j is not an amount', async (amount) => {
    const account = await createAccount('1')
    await expect(account.hold(amount, 'answer:i')).rejects.toThrow('Not an amount')
  })

  test('the sum of many small amounts is exact where floats are not', async () => {
    const account = await createAccount('1')
    for (let index = 0; index < 10; index += 1) {
      await account.hold('0.1', `answer:${account.entry.applicationId}:${index}`)
    }
    expect((await account.balance()).remaining).toBe('0.000000')
  })
})

test.each([1, 7, 42, 1234])('random holds, settles, refunds and replays keep the sums (seed %i)', async (seed) => {
  const random = createRandom(seed)
  const account = await createAccount('5')
  const references = Array.from({length: 8}, (_, index) => `answer:${account.entry.applicationId}:${index}`)
  for (let step = 0; step < 60; step += 1) {
    const reference = references[random(references.length)]!
    const amount = credits(BigInt(random(2_000_000)))
    const action = random(3)
    if (action === 0) {
      await account.hold(amount, reference).catch((error: unknown) => expect(error).toHaveProperty('code', 'used_up'))
    } else if (action === 1) await account.settle(amount, reference)
    else await account.refund(reference)
  }
  await expectConsistent(account)
})

describe('in parallel', () => {
  test('holds never overdraw', async () => {
    const account = await createAccount('1')
    const results = await Promise.allSettled(
      Array.from({length: 20}, (_, index) => account.hold('0.15', `answer:${account.entry.applicationId}:${index}`)),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(6)
    expect((await account.balance()).remaining).toBe('0.100000')
    await expectConsistent(account)
  })

  test('the same hold ten times holds once', async () => {
    const account = await createAccount('1')
    await Promise.all(Array.from({length: 10}, () => account.hold('0.3', `answer:${account.entry.applicationId}`)))
    expect((await account.balance()).remaining).toBe('0.700000')
  })

  test('settle and refund at once: one of them closes', async () => {
    const account = await createAccount('1')
    const reference = `answer:${account.entry.applicationId}`
    await account.hold('0.3', reference)
    await Promise.all([account.settle('0.2', reference), account.refund(reference), account.settle('0.1', reference)])
    await expectConsistent(account)
    expect((await account.entries()).filter((entry) => entry.kind === 'hold')).toHaveLength(1)
  })

  test('a worker settles what a request held', async () => {
    const account = await createAccount('1')
    const reference = `answer:${account.entry.applicationId}`
    await account.hold('0.3', reference)
    expect(
      await server.deps.database.asSystem((transaction) => settleCredits(transaction, {reference, amount: '0.2'})),
    ).toBe('0.200000')
    expect(await account.balance()).toEqual({remaining: '0.800000', used: '0.200000'})
  })

  test('a transaction that fails takes its hold with it', async () => {
    const account = await createAccount('1')
    await expect(
      account.run(async (transaction) => {
        await holdCredits(transaction, {
          ...account.entry,
          amount: '0.5',
          reference: `answer:${account.entry.applicationId}`,
        })
        throw new Error('foo')
      }),
    ).rejects.toThrow('foo')
    expect(await account.balance()).toEqual({remaining: '1.000000', used: '0.000000'})
  })
})
