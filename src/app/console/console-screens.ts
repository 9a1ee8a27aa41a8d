/* The pages of the console come as one file (vite.config.ts): one import names it in the first script. */
export {ApplicationsRoute as applications} from './applications-route.tsx'
export {CredentialsRoute as credentials} from './credentials-route.tsx'
export {ExtraRoute as extra, SubscribeRoute as subscribe} from './offers-route.tsx'
export {OrderRoute as order} from './order-route.tsx'
export {OrdersRoute as orders} from './orders-route.tsx'
export {UsagesRoute as usages} from './usages-route.tsx'
