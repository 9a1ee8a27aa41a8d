export const loadViews = () => import('./thread-views.ts')
