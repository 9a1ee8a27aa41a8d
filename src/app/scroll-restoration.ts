/*
 * What the build puts in the place of the router's module of this name (vite.config.ts). The document of Atrium is as high as
 * the window and never scrolls; threads, lists and forms scroll by themselves.
 */
export const setupScrollRestoration = () => undefined
export const ScrollRestoration = () => null
export const defaultGetScrollRestorationKey = () => ''
export const getElementScrollRestorationEntry = () => undefined
export const storageKey = ''
