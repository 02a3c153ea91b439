/** Leaves this page for another, which is loaded anew: a provider's, or ours when the session has changed. */
export const openPage = (url: string) => location.assign(url)
