import { Stack, Title } from '@mantine/core'
import { useId } from 'react'
import classes from './guide.module.css'

type Props = {
  title: string
  texts: readonly string[]
  /** What the picture shows, in words. */
  picture: string
  src: string
  /** That of the picture where it is 390 pixels wide, so that nothing moves when it has loaded. */
  height: number
}

/** One thing to do, beside a picture of the screen where it is done. */
export function Part({ title, texts, picture, src, height }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.part}>
      <Stack gap={12}>
        <Title id={id} order={2} size="h2">
          {title}
        </Title>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Stack>
      <img src={src} alt={picture} width={390} height={height} loading="lazy" className={classes.picture} />
    </section>
  )
}
