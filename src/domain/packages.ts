import {packageDurations, type Package} from '#contract/packages.ts'
import {microOf} from './exact-amount.ts'

export type PackageType = NonNullable<Package['type']>

/** Packages of a type in the order in which they are offered: by credits, subscriptions by length. */
export const packagesOf = (packages: readonly Package[], type: PackageType): Package[] =>
  packages
    .filter((offer) => offer.type === type)
    .sort((a, b) =>
      type === 'Period' ? (a.duration ?? 0) - (b.duration ?? 0) : Number(a.amount ?? 0) - Number(b.amount ?? 0),
    )

/** The package that is chosen at first: the recommended one; else the smallest, of subscriptions the longest. */
export function recommendedPackage(packages: readonly Package[], type: PackageType): Package | undefined {
  const offers = packagesOf(packages, type)
  return offers.find(({recommended}) => recommended === true) ?? (type === 'Period' ? offers.at(-1) : offers[0])
}

/** Whether a package brings the exact credits that are missing. A plan that names no credits has no end of them. */
export const covers = ({type, amount}: Package, missing: string): boolean =>
  amount == null ? type === 'Period' : microOf(amount) >= microOf(missing)

/** The package that is chosen for what is missing: the first that covers it, else the one with the most credits. */
export function coveringPackage(packages: readonly Package[], type: PackageType, missing: string): Package | undefined {
  const offers = packagesOf(packages, type)
  return (
    offers.find((offer) => covers(offer, missing)) ??
    [...offers].sort((a, b) => Number(b.amount ?? 0) - Number(a.amount ?? 0))[0]
  )
}

/** US dollars for one credit; undefined where the package names no amount or price. */
export const unitPrice = ({amount, price}: Package): number | undefined =>
  amount == null || price == null || Number(amount) <= 0 ? undefined : Number(price) / Number(amount)

/** How much less a credit costs than in the first package, in whole percent; 0 where it costs no less. */
export function discountPercent(offer: Package, first: Package | undefined): number {
  const [own, base] = [unitPrice(offer), first && unitPrice(first)]
  if (own === undefined || base === undefined || base <= 0) return 0
  return Math.max(0, Math.floor((1 - own / base) * 100 + 1e-9))
}

/** A discount as its language counts: percent that are saved, in Chinese tenths that are paid (contract/screens §5). */
export const discountFigure = (percent: number, locale: string): number =>
  locale.startsWith('zh') ? (100 - percent) / 10 : percent

/** The three lengths of a subscription; any other is undefined. */
export const packageLength = ({duration}: Package): keyof typeof packageDurations | undefined =>
  (['week', 'month', 'year'] as const).find((name) => packageDurations[name] === duration)

/** Whole days and weeks of a number of seconds, rounded down. */
export const wholeDays = (seconds: number): number => Math.floor(seconds / 86_400)
export const wholeWeeks = (seconds: number | null | undefined): number =>
  Math.floor((seconds ?? 0) / packageDurations.week)
