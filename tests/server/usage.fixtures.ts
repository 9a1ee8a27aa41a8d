import {sql} from 'drizzle-orm'
import {expect} from 'vitest'
import {usageTotals, type UsageTotals} from '#contract/usage.ts'
import {apiIdOf} from '#server/platform/service-apis.ts'
import {usages} from '#server/store/schema/credits.ts'
import type {TestServer, TestUser} from './harness.ts'
import {ask} from './platform.fixtures.ts'

type UsageValues = Partial<typeof usages.$inferInsert> & {api?: string}

/** Usage of a user as workers enter it, without the calls. */
export async function createUsage(server: TestServer, {user, accessToken}: TestUser) {
  const made = await ask(server, 'POST', '/applications/', {
    token: accessToken,
    body: {type: 'Usage', scope: 'Global'},
  })
  const applicationId = made.body.id as string
  return {
    applicationId,
    add: (rows: UsageValues[]) =>
      server.deps.database.asSystem((transaction) =>
        transaction.insert(usages).values(
          rows.map(({api = 'kling/videos', ...row}, index) => ({
            userId: user.id,
            applicationId,
            apiId: apiIdOf(api),
            statusCode: 200,
            traceId: `trace-${index}`,
            deductedAmount: '0.1',
            ...row,
          })),
        ),
      ),
    /** Adds as many rows as asked for, spread over time, APIs and statuses by a fixed rule. */
    fill: (count: number, {from, seconds}: {from: string; seconds: number}) =>
      server.deps.database.asSystem((transaction) =>
        transaction.execute(sql`
          insert into usages (user_id, application_id, api_id, status_code, trace_id, deducted_amount, created_at)
          select ${user.id}::uuid, ${applicationId}::uuid,
            (array[${apiIdOf('kling/videos')}, ${apiIdOf('flux/images')}, ${apiIdOf('aichat/conversations')}])[1 + n % 3]::uuid,
            (array[200, 200, 200, 403, 500])[1 + (n * 7) % 5], 'trace-' || n, ((n * 7919) % 1000003) / 1000000.0,
            ${from}::timestamptz + make_interval(secs => n * ${seconds}::float8)
          from generate_series(0, ${count}::int - 1) as n`),
      ),
  }
}

/** A row of the list of usage, as far as tests look at it. */
export type UsageRow = {id: string; api_id: string; status_code: number; deducted_amount: number; created_at: string}

export type UsageQuery = Record<string, string | string[]>

export const queryOf = (query: UsageQuery): string => {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) params.append(name, value)
  return params.toString()
}

/** Reads the usage that `server` reports to a user. */
export const readUsage = (server: () => TestServer) => {
  const get = (user: TestUser, path: string, query: UsageQuery = {}) =>
    ask(server(), 'GET', `${path}?${queryOf(query)}`, {token: user.accessToken})
  return {
    get,
    totalsOf: async (user: TestUser, query: UsageQuery = {}): Promise<UsageTotals> => {
      const {status, body} = await get(user, '/usage/totals', query)
      expect(status).toBe(200)
      return usageTotals.parse(body)
    },
  }
}
