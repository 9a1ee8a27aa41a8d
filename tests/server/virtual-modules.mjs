import {register} from 'node:module'

/* `--import` of this file lets a plain Node process run modules of the server that Vite completes. */

register('./virtual-hooks.mjs', import.meta.url)
