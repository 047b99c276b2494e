package store

// This file is all that is said to River's tables in SQL, because its client cannot say it (v0.31). TestRiverTables
// fails when they change.
var riverStatements = struct{ alive, dead, begunAhead, queuedAhead, due string }{
	// River takes a job for stuck by how long ago it was begun, and does not ask whether its worker lives; a step may
	// take hours.
	alive: "UPDATE river_job SET attempted_at = {queue-now} WHERE state = 'running' AND {last-by} = $1",

	// It waits until a job is stuck, also where the worker is known to have died. The attempt counts.
	dead: "UPDATE river_job SET state = 'available', scheduled_at = {queue-now} WHERE state = 'running' AND " +
		"{last-by} = $1",

	// It trusts the clocks. After one was set back nothing is to wait until it comes to the same hour again: nothing
	// was begun in the future, and nothing that this program queues waits longer than a minute.
	begunAhead: "UPDATE river_job SET attempted_at = {queue-now} WHERE state = 'running' AND attempted_at > " +
		"{queue+15}",
	queuedAhead: "UPDATE river_job SET scheduled_at = {queue-now} WHERE state = 'available' AND scheduled_at > " +
		"{queue+15}",

	// Only its leader gives out what has waited long enough, and the leader may have died.
	due: `UPDATE river_job SET state = 'available', scheduled_at = {queue-now} WHERE state IN ('scheduled', 'retryable')
		AND (scheduled_at <= {queue-now} OR scheduled_at > {queue+120})`,
}
