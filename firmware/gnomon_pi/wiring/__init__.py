"""The only place that turns the description of a board into what a builder needs: wires, drawings and parts."""
