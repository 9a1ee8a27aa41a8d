import {useActor, useSelector} from '@xstate/react'
import {useState} from 'react'
import {createUsageApi, type UsageFilter} from '#api/usage.ts'
import {saveBlob} from '#browser/save-blob.ts'
import type {Application} from '#contract/management.ts'
import type {ApiUsage, ServiceApi} from '#contract/usage.ts'
import {isSameData} from '#domain/same-data.ts'
import {periodOf, usageRange} from '#domain/usage-period.ts'
import {browserZone, createZoneTime} from '#domain/zone-time.ts'
import {usageSortKeys} from '#features/console/usage/usage-table.tsx'
import type {RangeTotals} from '#features/console/usage/usage-totals-view.tsx'
import {callOf} from '#machines/call/call.machine.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {selectFailure, type ListQuery} from '#machines/resource-list/resource-list.machine.ts'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {pageRequest, useAddressList} from './use-address-list.ts'

/** Rows on a page (contract/platform §3). */
export const pageSize = 15
/** Applications and APIs that the filters list. */
const mostOptions = 100
/** Milliseconds. The download itself watches for a standstill. */
const exportDeadline = 1_800_000

const filterKeys = ['application_id', 'api_id', 'period', 'from', 'to']

/** The choices of the filters. */
type Options = {applications: readonly Application[]; apis: readonly ServiceApi[]}

/**
 * The moment at which a look at usage ends. The reads of one address have the same, so that table, chart and file
 * agree; another filter, or a renewed look, is another moment.
 */
function createLook(now: () => number) {
  let last: {filter: unknown[]; at: number} | undefined
  return {
    at: (query: ListQuery): number => {
      const filter = filterKeys.map((key) => query[key])
      if (last === undefined || !isSameData(last.filter, filter)) last = {filter, at: now()}
      return last.at
    },
    renew: () => {
      last = undefined
    },
  }
}

type OfUser = {user_id?: string}
type UsageSource = ReturnType<typeof createSource>

/** Creates what all reads of one screen share: the API, the time zone, and the moment at which a look ends. */
function createSource({services, capabilities, media}: ReturnType<typeof useAppInfo>) {
  const offersTotals = capabilities.includes('usage-totals')
  const zone = createZoneTime(browserZone())
  const look = createLook(() => Math.round(media.now() * 1_000))
  const rangeOf = (query: ListQuery) => usageRange(query, look.at(query), zone)
  const filterOf = (query: ListQuery): UsageFilter => {
    const {application_id, api_id} = query
    const scope = {
      ...(application_id === undefined ? {} : {application_id}),
      ...(api_id === undefined ? {} : {api_id}),
    }
    if (!offersTotals) return scope
    const {from, until} = rangeOf(query)
    return {...scope, created_at_min: new Date(from).toISOString(), created_at_max: new Date(until).toISOString()}
  }
  const usage = services.client(createUsageApi)
  return {usage, management: services.management, offersTotals, zone, look, rangeOf, filterOf}
}

const useSums = ({usage, offersTotals, zone, rangeOf, filterOf}: UsageSource) =>
  useAddressList<RangeTotals>({
    keys: filterKeys,
    isLed: true,
    read: async (query, signal) => {
      if (!offersTotals) return {items: [], total: 0}
      const [range, filter] = [rangeOf(query), filterOf(query)]
      const totals = await usage.totals({...filter, step: range.step, time_zone: zone.timeZone}, signal)
      const countedZone = totals.time_zone === zone.timeZone ? zone : createZoneTime(totals.time_zone)
      return {items: [{totals, range, zone: countedZone, filter}], total: 1}
    },
  })

const useRows = ({usage, filterOf}: UsageSource, user: OfUser, onReread: () => void) =>
  useAddressList<ApiUsage>({
    keys: ['page', ...filterKeys],
    sortKeys: usageSortKeys,
    pageSize,
    onReread,
    read: async (query, signal) => {
      const request = {...pageRequest(query, pageSize), ...user, ...filterOf(query)}
      const {items, count} = await usage.list(request, signal)
      return {items, total: count}
    },
  })

const useOptions = ({usage, management}: UsageSource, user: OfUser) =>
  useAddressList<Options>({
    keys: [],
    read: async (_, signal) => {
      const page = {limit: mostOptions, ordering: '-created_at'}
      const [applications, apis] = await Promise.all([
        management.applications.list({...page, ...user}, signal),
        usage.apis({limit: mostOptions, ordering: 'title'}, signal),
      ])
      return {items: [{applications: applications.items, apis: apis.items}], total: 1}
    },
  })

/** The file of all matching rows. */
function useExport({usage}: UsageSource) {
  const [logic] = useState(() =>
    callOf(async ({values}, signal) => {
      const {blob, name} = await usage.exportRows(values, signal)
      saveBlob(blob, name)
    }),
  )
  const [exporting, send] = useActor(logic, {input: {deadline: exportDeadline}})
  const download = (filter: UsageFilter) =>
    send({
      type: 'call.send',
      values: Object.fromEntries(
        Object.entries(filter).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
    })
  return {exporting, download}
}

/**
 * Usage as the address asks for it: rows, sums, what the filters offer, the file. A back end without `usage-totals` is
 * asked by application and API alone: it need not know any other filter.
 */
export function useUsage() {
  const info = useAppInfo()
  const userId = useSelector(useAppActor('auth'), selectUser)?.id
  const user = userId === undefined ? {} : {user_id: userId}
  const [source] = useState(() => createSource(info))
  const {look, offersTotals, zone} = source
  const sums = useSums(source)
  const rows = useRows(source, user, () => {
    look.renew()
    sums.send({type: 'list.reread'})
  })
  const options = useOptions(source, user)
  const {query} = rows
  return {
    offersTotals,
    zone,
    query,
    period: periodOf(query),
    /** The range of the address; while its sums are read, those of another address are shown. */
    range: source.rangeOf(query),
    rows,
    sums,
    options: options.snapshot.context.shown?.items[0],
    /** Why the filters offer nothing. */
    optionsFailure: options.snapshot.context.shown === undefined ? selectFailure(options.snapshot) : undefined,
    readOptions: () => options.send({type: 'list.refresh'}),
    ...useExport(source),
    /** Reads everything up to now; what is shown stays. */
    refresh: () => {
      look.renew()
      rows.send({type: 'list.refresh'})
      sums.send({type: 'list.refresh'})
    },
  }
}
