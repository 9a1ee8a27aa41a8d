import {shallowEqual, useSelector} from '@xstate/react'
import type {PriceCurrency} from '#features/console/price-text.tsx'
import {selectRate, selectShownCurrency} from '#machines/preferences/preferences.selectors.ts'
import {useAppActor} from '../actors.context.tsx'

/** The rate of the user's currency could not be had: prices stay in US dollars. */
export const useIsRateMissing = (): boolean =>
  useSelector(useAppActor('preferences'), (snapshot) => snapshot.matches('unrated'))

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
