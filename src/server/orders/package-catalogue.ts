import {chatServiceId} from '#contract/chat.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Package} from '#contract/packages.ts'
import type {PackageOffer, PackagesConfig} from '../config-payments.ts'
import {isUuid, present} from '../platform/fields.ts'
import {namedUuid} from '../platform/named-uuid.ts'
import {StartFailure} from '../start-failure.ts'

export type OfferedPackage = PackageOffer & {id: string}

/** The packages for a service (`null`: for the general application), credits first, each by size. */
export type PackageCatalogue = {offersOf: (serviceId: string | null) => readonly OfferedPackage[]}

/** The same offer always has the same id; another price or amount is another package. */
const packageId = (serviceId: string | null, {type, amount, price, duration}: PackageOffer): string =>
  namedUuid(JSON.stringify([serviceId, type, amount, price, duration]))

/** Throws `StartFailure` when the configuration prices a service that does not exist. */
export function createPackageCatalogue(config: PackagesConfig, tools: readonly MediaTool[]): PackageCatalogue {
  const ids = new Map([
    ['chat', chatServiceId],
    ...tools.map(({identity}) => [identity.id, identity.serviceId] as const),
  ])
  const own = new Map(
    Object.entries(config.services).map(([name, offers]) => {
      const serviceId = ids.get(name) ?? (isUuid(name) ? name.toLowerCase() : undefined)
      if (serviceId === undefined)
        throw new StartFailure(
          `CONFIG_FILE packages.services.${name}: there is no such service. Services are ${[...ids.keys()].join(', ')}, or the id of one that an operator made.`,
        )
      return [serviceId, offers]
    }),
  )
  return {
    offersOf: (serviceId) => {
      const offers = serviceId === null ? config.general : (own.get(serviceId) ?? config.service)
      return offers.map((offer) => ({...offer, id: packageId(serviceId, offer)}))
    },
  }
}

/** Dollars of cents, for the wire: at most two decimals, which a JSON number shows as they are. */
export const toDollars = (cents: number): number => cents / 100

export const packageView = ({id, type, amount, price, duration, recommended}: OfferedPackage): Package =>
  present({id, type, amount, price: toDollars(price), duration, recommended: recommended || undefined})
