/** `leader.won`: this tab leads all tabs of the browser; `leader.lost`: another tab does. */
export type LeadershipFact = {type: 'leader.won'} | {type: 'leader.lost'}
