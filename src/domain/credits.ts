/** A reading of the balance. `at` in unix seconds. */
type Credits = {at: number; left: number}

/** `added`: more than the reading before. `listed`: what there is, perhaps more since a reading nobody compared. */
export type CreditsFact = ({type: 'credits.added'} | {type: 'credits.listed'}) & Credits

type Refusal = {needed?: string | null | undefined} | null | undefined

/** The end of the query for the packages: the credits that a refused request needs, where our server said so. */
export const needQuery = (refusal: Refusal) =>
  refusal?.needed == null ? '' : `&need=${encodeURIComponent(refusal.needed)}`

/** Whether a request refused for want of credits can go on: they cover it; where its need is unknown, some came. */
export const suffices = (refusal: Refusal, {type, left}: CreditsFact) =>
  refusal?.needed == null ? type === 'credits.added' : left >= Number(refusal.needed)
