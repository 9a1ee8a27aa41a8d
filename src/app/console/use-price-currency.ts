import {shallowEqual, useSelector} from '@xstate/react'
import type {PriceCurrency} from '#features/console/price-text.tsx'
import type {MissingRate} from '#features/console/rate-note.tsx'
import {selectRate, selectShownCurrency} from '#machines/preferences/preferences.selectors.ts'
import {useAppActor} from '../actors.context.tsx'

/** While the rate of the user's currency could not be had: prices stay in US dollars. */
export function useMissingRate(): MissingRate | undefined {
  const preferences = useAppActor('preferences')
  const isMissing = useSelector(
    preferences,
    (snapshot) => selectRate(snapshot) === undefined && snapshot.context.failure !== undefined,
  )
  const isAsked = useSelector(preferences, (snapshot) => snapshot.matches('fetching'))
  return isMissing ? {isAsked, onAsk: () => preferences.send({type: 'rate.request'})} : undefined
}

/** The currency of the user's language while its rate is known, else US dollars (spec §9). */
export const usePriceCurrency = (): PriceCurrency =>
  useSelector(
    useAppActor('preferences'),
    (snapshot) => ({
      currency: selectShownCurrency(snapshot),
      rate: selectRate(snapshot),
      date: snapshot.context.rateDates[snapshot.context.currency] ?? undefined,
    }),
    shallowEqual,
  )
