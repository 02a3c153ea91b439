/** Fragment of the form on the first screen: `/#lista-de-espera`. */
export const formAnchor = 'lista-de-espera'
