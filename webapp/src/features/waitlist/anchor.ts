/** Where the form stands on the first screen: `/#lista-de-espera`. */
export const formAnchor = 'lista-de-espera'
