/** The same words in another language: the same names, with any text. */
export type Translation<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translation<Result>
    : Words extends number
      ? number
      : { readonly [Name in keyof Words]: Translation<Words[Name]> }
