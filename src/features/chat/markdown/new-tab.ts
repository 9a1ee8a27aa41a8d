/** Attributes of a link that an untrusted text names. */
export const newTab = {target: '_blank', rel: 'noopener noreferrer nofollow ugc'}
