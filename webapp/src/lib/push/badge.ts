/** A part of `navigator`, which has another type in workers. Many browsers have no badges. */
type Badge = { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> }

export const hasBadge = (on: Badge) => on.setAppBadge !== undefined

/** Shows a count on the installed app's icon where the system supports it. */
export async function showBadge(unread: number, on: Badge = navigator) {
  await (unread > 0 ? on.setAppBadge?.(unread) : on.clearAppBadge?.())?.catch(() => undefined)
}
