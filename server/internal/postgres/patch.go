package postgres

// patch sets a column unless the change leaves it out.
func patch[T any](column *T, value *T) {
	if value != nil {
		*column = *value
	}
}
